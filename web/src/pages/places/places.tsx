/** The page from which places are opened. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { placeAt, placeIn } from "../../links";
import { sendReading } from "../../ui/first";
import { Ids } from "../../ui/ids";
import { Open } from "../../ui/open";
import { useTitle } from "../../ui/title";

export const Places = () => {
  useTitle("Places");
  return (
    <>
      <h1>Places</h1>
      <p class="about">
        A place lies in a wider one. Its numbers are the sums of everything at it and below it, added up while readings
        arrive: opening a country costs as little as opening a gate. Begin with one of the widest, or name any with all
        that it lies in.
      </p>
      <Open what="Place" at={(path) => placeAt(placeIn(path))} example="US/New York" longest={1000} />
      <Ids
        name="Places"
        at={(name) => placeAt([name])}
        read={(query) => bodyOf(api.GET("/places/roots", { params: { query } }))}
        ids={(page) => page.places}
        first={sendReading()}
      />
    </>
  );
};
