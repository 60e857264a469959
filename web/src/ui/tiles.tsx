/** Links beside each other. */

import { shortly } from "./shortly";
import "./tiles.css";

export const Tiles = ({ of }: { of: readonly (readonly [string, string])[] }) => (
  <ul class="tiles">
    {of.map(([text, to]) => (
      <li key={to}>
        <a href={to} title={text}>
          {shortly(text)}
        </a>
      </li>
    ))}
  </ul>
);
