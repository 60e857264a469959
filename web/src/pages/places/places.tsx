/** The page from which places are opened. */

import { placeAt, placeIn } from "../../links";
import { go } from "../../router";
import { useTitle } from "../../ui/title";

/** Places that the demo fills. */
const EXAMPLES = [["US"], ["US", "New York"], ["USA", "TX"]];

export const Places = () => {
  useTitle("Places");
  return (
    <>
      <h1>Places</h1>
      <p class="about">
        A place lies in a wider one. Its numbers are the sums of everything at it and below it, added up while readings
        arrive: opening a country costs as little as opening a gate.
      </p>
      <form
        class="open"
        onSubmit={(event) => {
          event.preventDefault();
          const place = placeIn(String(new FormData(event.currentTarget).get("place")).trim());
          if (place.length > 0) go(placeAt(place));
        }}
      >
        <label>
          Place <input name="place" required maxLength={1000} placeholder="US/New York" autoComplete="off" />
        </label>
        <button type="submit">Open</button>
      </form>
      <p class="about">
        From the widest to the narrowest, such as{" "}
        {EXAMPLES.map((place, position) => (
          <>
            {position > 0 && ", "}
            <a href={placeAt(place)}>{place.join("/")}</a>
          </>
        ))}
        .
      </p>
    </>
  );
};
