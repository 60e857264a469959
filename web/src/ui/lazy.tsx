/** Pages whose script is loaded when they are first shown. */

import type { ComponentType, JSX } from "preact";
import { useLoaded } from "./loaded";
import { Waiting } from "./states";

/** A component that loads the real one. */
export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ((props: P) => JSX.Element) => {
  let once: Promise<ComponentType<P>> | undefined;
  return (props) => {
    // An object, because a state can't be a function.
    const { value, error } = useLoaded("page", async () => {
      once ??= load();
      return { Page: await once };
    });
    if (value) return <value.Page {...props} />;
    return error ? <Outdated /> : <Waiting />;
  };
};

/** A browser does not ask twice for a script that failed; a new deployment has replaced it, too. */
const Outdated = () => (
  <div class="failure" role="alert">
    <p>
      <strong>This page could not be loaded.</strong> The network is down, or the console has been renewed since you
      opened it.
    </p>
    <button type="button" onClick={() => location.reload()}>
      Load it again
    </button>
  </div>
);
