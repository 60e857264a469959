/** A table that scrolls where it is wider than the page; the first cell of a row names the row. */

import type { ComponentChildren, Key } from "preact";
import { figure } from "./figures";
import { Scrolling } from "./scrolling";
import "./table.css";

interface Props {
  name: string;
  columns: readonly ComponentChildren[];
  /** Numbers, and null among them, stand to the right, all else to the left. */
  rows: readonly (readonly [Key, ...ComponentChildren[]])[];
}

export const Table = ({ name, columns, rows }: Props) => {
  const numbers = columns.map((_, position) => rows.some((row) => isNumber(row[position + 1])));
  return (
    <Scrolling kind="wide" name={name}>
      <table class="mixed">
        <thead>
          <tr>
            {columns.map((column, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <th key={position} scope="col" class={numbers[position] ? "number" : ""}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, first, ...others]) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {others.map((cell, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={position} class={isNumber(cell) || (cell == null && numbers[position + 1]) ? "number" : ""}>
                  {isNumber(cell) || cell == null ? figure(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
};

const isNumber = (cell: ComponentChildren): cell is number => typeof cell === "number";
