/** What was asked of the table for what is shown, and what that took. */

import type { Cost } from "../api/cost";
import { figure } from "./figures";

export const Consumed = ({ of: { requests, read, write } }: { of: Cost }) => (
  <p class="about">
    Read with {requests === 1 ? "one request" : `${figure(requests)} requests`}: {figure(read)}{" "}
    {read === 1 ? "read unit" : "read units"}
    {write > 0 && `, ${figure(write)} write units`}.
  </p>
);
