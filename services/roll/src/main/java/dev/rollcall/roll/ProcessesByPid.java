package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import com.hazelcast.projection.Projection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll.ProcessEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Returns of each job's entry only the processes with certain pids, so that not every list of
 * processes leaves the member that has it.
 *
 * @param pids by node, each list in order
 */
// Serialized by Compact, as Enter is.
@SuppressWarnings("serial")
record ProcessesByPid(Map<String, int[]> pids)
    implements Projection<Map.Entry<String, JobValue>, Object[]> {
  static final Serializer<ProcessesByPid> SERIALIZER =
      new Serializer<>(
          "rollcall.processes-by-pid",
          ProcessesByPid.class,
          ProcessesByPid::write,
          ProcessesByPid::read);

  /** Of a job without such processes only the first two columns are returned. */
  @Override
  public Object[] transform(Map.Entry<String, JobValue> entry) {
    JobValue told = entry.getValue();
    int[] wanted = pids.getOrDefault(told.node(), new int[0]);
    List<JobProcess> found =
        told.processes().stream()
            .filter(process -> Arrays.binarySearch(wanted, process.process().pid()) >= 0)
            .toList();
    if (found.isEmpty()) {
      return new Object[] {told.node(), told.registration()};
    }
    Job job = told.job();
    return new Object[] {
      told.node(),
      told.registration(),
      job.id().number(),
      job.uid(),
      job.gid(),
      Times.nanos(job.startedAt()),
      job.state().name(),
      job.label().batchId(),
      job.label().name(),
      Times.nanos(told.observedAt()),
      found.stream().mapToInt(process -> process.process().pid()).toArray(),
      found.stream().mapToLong(process -> process.process().startTime()).toArray(),
      found.stream().map(process -> process.step().text()).toArray(String[]::new)
    };
  }

  static String node(Object[] columns) {
    return (String) columns[0];
  }

  static long registration(Object[] columns) {
    return (Long) columns[1];
  }

  static Stream<ProcessEntry> entries(Object[] columns, boolean stale) {
    if (columns.length == 2) {
      return Stream.empty();
    }
    Job job = JobColumns.job(columns, 2);
    int[] pids = (int[]) columns[10];
    long[] startTimes = (long[]) columns[11];
    String[] steps = (String[]) columns[12];
    return IntStream.range(0, pids.length)
        .mapToObj(i ->
            new ProcessEntry(
                job,
                new JobProcess(new ProcessRef(pids[i], startTimes[i]), new StepId(steps[i]), ""),
                Times.instant((Long) columns[9]),
                stale));
  }

  /** Nodes, how many pids each has, and the pids of all. */
  private static void write(CompactWriter out, ProcessesByPid wanted) {
    List<Map.Entry<String, int[]>> nodes = List.copyOf(wanted.pids().entrySet());
    out.writeArrayOfString("nodes", nodes.stream().map(Map.Entry::getKey).toArray(String[]::new));
    out.writeArrayOfInt32("counts", nodes.stream().mapToInt(n -> n.getValue().length).toArray());
    out.writeArrayOfInt32(
        "pids", nodes.stream().flatMapToInt(n -> Arrays.stream(n.getValue())).toArray());
  }

  private static ProcessesByPid read(CompactReader in) {
    String[] nodes = NodeFields.strings(in, "nodes");
    int[] counts = requireNonNull(in.readArrayOfInt32("counts"));
    int[] pids = requireNonNull(in.readArrayOfInt32("pids"));
    var wanted = new HashMap<String, int[]>();
    int from = 0;
    for (int i = 0; i < nodes.length; i++) {
      wanted.put(nodes[i], Arrays.copyOfRange(pids, from, from + counts[i]));
      from += counts[i];
    }
    return new ProcessesByPid(wanted);
  }
}
