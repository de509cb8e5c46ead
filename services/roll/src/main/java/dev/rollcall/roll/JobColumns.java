package dev.rollcall.roll;

import com.hazelcast.projection.Projection;
import com.hazelcast.projection.Projections;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.JobEntry;
import java.util.Map;

/**
 * The attributes of a job's entry that a list reads, by the names that {@link JobValue} gives: all
 * but the processes, of which there may be tens of thousands.
 */
final class JobColumns {
  static final Projection<Map.Entry<String, JobValue>, Object[]> ALL_BUT_PROCESSES =
      Projections.multiAttribute(
          "node",
          "boot",
          "epoch",
          "registration",
          "job",
          "uid",
          "gid",
          "startedAt",
          "state",
          "batchId",
          "name",
          "observedAt",
          "user");

  private JobColumns() {}

  static String node(Object[] columns) {
    return (String) columns[0];
  }

  static long registration(Object[] columns) {
    return (Long) columns[3];
  }

  static JobEntry entry(Object[] columns, boolean stale) {
    return new JobEntry(
        new NodeEpoch(new NodeName(node(columns)), (String) columns[1], (Long) columns[2]),
        job(columns, 4),
        (String) columns[12],
        Times.instant((Long) columns[11]),
        stale);
  }

  /** The job in seven columns, from this one on: id, uid, gid, start, state, batch id, name. */
  static Job job(Object[] columns, int at) {
    return new Job(
        new JobId((Long) columns[at]),
        (Integer) columns[at + 1],
        (Integer) columns[at + 2],
        Times.instant((Long) columns[at + 3]),
        JobState.valueOf((String) columns[at + 4]),
        new JobLabel((String) columns[at + 5], (String) columns[at + 6]));
  }
}
