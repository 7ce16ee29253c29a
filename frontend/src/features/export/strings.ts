export const says = {
  title: "Export",
  lead: "The labels as they stand, as a file.",
  format: "Format",
  formats: {
    prm800k: "PRM800K",
    trl: "TRL stepwise supervision",
    processbench: "ProcessBench",
    math_shepherd: "Math-Shepherd",
    parquet: "Parquet",
  },
  holds: "What it holds",
  download: "Download",
  archive: "A ZIP archive: the labels, and a manifest that says what they are.",
} as const;
