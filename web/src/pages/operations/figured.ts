/** Ages, prices and minutes of the overview, as people read them. */

const MONTH_HOURS = 730;

/** An age in milliseconds. One that was not measured is told apart from none. */
export const age = (milliseconds: number | null): string => {
  if (milliseconds === null) return "not measured";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 7_200_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${(milliseconds / 3_600_000).toFixed(1)} h`;
};

const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

/** US dollars; of less than one, two digits, however small it is. */
export const usd = (value: number): string => `$${value >= 1 ? value.toFixed(2) : SMALL.format(value)}`;

/** What an hour like this costs in a month. */
export const aMonth = (hour: number): number => hour * MONTH_HOURS;

/** How many there were in the last minute that is over; the last of all is not. */
export const lastMinute = (minutes: readonly number[]): number => minutes.at(-2) ?? 0;

/** The heights of a bar for each minute, of at most `height`; what is there can be seen. */
export const heights = (minutes: readonly number[], height: number): number[] => {
  const greatest = Math.max(...minutes, 1);
  return minutes.map((each) => (each === 0 ? 0 : Math.max(1, (each / greatest) * height)));
};
