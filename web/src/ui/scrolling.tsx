/** What is wider or longer than its place, and scrolls: with the arrow keys too, so it takes the focus. */

import type { ComponentChildren } from "preact";

export const Scrolling = ({ name, kind, children }: { name: string; kind: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus the keyboard can't scroll it
  <section class={kind} aria-label={name} tabIndex={0}>
    {children}
  </section>
);
