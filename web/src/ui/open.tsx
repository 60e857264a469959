/** A field that opens something by its id. */

import { segment } from "../api/spelling";
import { go } from "../router";

export const Open = ({ what, under, example }: { what: string; under: string; example: string }) => (
  <form
    class="open"
    onSubmit={(event) => {
      event.preventDefault();
      const id = String(new FormData(event.currentTarget).get("id")).trim();
      if (id) go(`${under}/${segment(id)}`);
    }}
  >
    <label>
      {what} <input name="id" required maxLength={200} placeholder={example} autoComplete="off" spellcheck={false} />
    </label>
    <button type="submit">Open</button>
  </form>
);
