import { render } from "preact";
import { begin } from "./console";
import { follow, go } from "./router";
import { Shell } from "./shell";
import { Failure } from "./ui/states";
import "./tokens.css";
import "./style.css";

const root = document.getElementById("console") as HTMLElement;

begin().then(
  (back) => {
    if (back !== null) go(back, { replace: true });
    follow();
    render(<Shell />, root);
  },
  (error: unknown) => {
    render(
      <main>
        <h1>The sign-in did not work</h1>
        <Failure error={error} />
        <a href="/">Begin again</a>
      </main>,
      root,
    );
  },
);
