package dev.rollcall.model.usage;

/** What is measured of jobs; each with those before it. */
public enum MeasureDepth {
  NO,
  JOBS,
  STEPS,
  SESSIONS;

  /** The least depth that has such records. */
  public static MeasureDepth of(UsageRecord.Kind kind) {
    return switch (kind) {
      case JOB -> JOBS;
      case STEP -> STEPS;
      case SESSION -> SESSIONS;
    };
  }

  public boolean has(MeasureDepth part) {
    return compareTo(part) >= 0;
  }
}
