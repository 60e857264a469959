/** How much of the greatest number one is, as a bar. The number itself stands beside it. */

import "./bar.css";

export const Bar = ({ of, greatest }: { of: number; greatest: number }) => (
  <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="whole" width="100" height="10" />
    <rect width={greatest > 0 ? (100 * Math.max(of, 0)) / greatest : 0} height="10" />
  </svg>
);
