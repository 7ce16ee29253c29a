export const says = {
  title: "Export",
  lead: "The current labels, as a file.",
  format: "Format",
  formats: {
    prm800k: "PRM800K",
    trl: "TRL stepwise supervision",
    processbench: "ProcessBench",
    math_shepherd: "Math-Shepherd",
    parquet: "Parquet",
  },
  holds: "Contents",
  download: "Download",
  archive: "A ZIP archive: the labels, and a manifest that says what they are.",
} as const;
