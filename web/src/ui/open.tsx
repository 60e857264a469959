/** A field that opens something by its id. */

import { go } from "../router";

interface Props {
  what: string;
  /** The page of an id. */
  at: (id: string) => string;
  example: string;
  longest?: number;
}

export const Open = ({ what, at, example, longest = 200 }: Props) => (
  <form
    class="open"
    onSubmit={(event) => {
      event.preventDefault();
      const id = String(new FormData(event.currentTarget).get("id")).trim();
      if (id) go(at(id));
    }}
  >
    <label>
      {what}{" "}
      <input name="id" required maxLength={longest} placeholder={example} autoComplete="off" spellcheck={false} />
    </label>
    <button type="submit">Open</button>
  </form>
);
