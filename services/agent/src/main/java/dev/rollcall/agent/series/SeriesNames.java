package dev.rollcall.agent.series;

/** The names under which series of jobs are served. */
public enum SeriesNames {
  ROLLCALL,
  /** Those of the exporter that jobstats reads; see {@link CgroupPage}. */
  CGROUP_EXPORTER
}
