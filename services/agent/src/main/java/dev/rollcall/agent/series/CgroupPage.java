package dev.rollcall.agent.series;

import dev.rollcall.agent.series.Series.Level;
import java.util.Collection;
import java.util.List;

/**
 * Writes series under the names of cgroup_exporter in the version of Princeton
 * (github.com/plazonic/cgroup_exporter), which jobstats asks for: all are gauges, and the sum of a
 * job has an empty step and task.
 */
record CgroupPage(PageText text) {
  private static final String PREFIX = "cgroup_";

  void write(Collection<Series> all) {
    text.header(PREFIX + "uid", "Number of the job's user");
    for (Series each : all) {
      each.facts.ifPresent(facts -> {
        text.line(PREFIX + "uid", jobid(each), "");
        text.number(Integer.toUnsignedLong(facts.job().uid()), 0);
      });
    }
    List<Series> its = all.stream().filter(each -> each.level != Level.SESSION).toList();
    Family.OF_CGROUPS.forEach(family -> text.family(PREFIX, family, its, CgroupPage::labels));
  }

  /** Its labels begin with the job. */
  private static String jobid(Series series) {
    return "jobid" + series.labels.substring("job".length());
  }

  private static String labels(Series series) {
    return jobid(series) + (series.level == Level.JOB ? ",step=\"\"" : "") + ",task=\"\"";
  }
}
