export const says = {
  by: "By",
  name: "Name",
  unit: ["entry", "entries"] as const,
};
