/** What lists and tables of numbers say: on staff’s pages, so annotators do not load it. */
export const listStrings = {
  previous: "Previous",
  next: "Next",
  first: "First page",
  page: (page: number) => `Page ${page}`,
  sum: "Sum",
  asOf: (when: string) => `As of ${when}`,
  refresh: "Refresh",
  beingCounted: "A worker is counting this. It appears here in a moment.",
  nothing: "Nothing here yet.",
};
