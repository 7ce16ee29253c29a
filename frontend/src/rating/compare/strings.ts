export const says = {
  legend: (name: string) => `Against ${name}:`,
  little: (name: string) => `Little in common with ${name}:`,
  fresh: "new",
  gone: "gone",
};
