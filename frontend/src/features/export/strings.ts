export const says = {
  formats: {
    prm800k: "PRM800K",
    trl: "TRL stepwise supervision",
    processbench: "ProcessBench",
    math_shepherd: "Math-Shepherd",
    parquet: "Parquet",
  },
} as const;
