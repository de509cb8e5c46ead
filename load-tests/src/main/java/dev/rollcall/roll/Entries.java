package dev.rollcall.roll;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll.NodeDescription;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The entries that the grid holds, as a member writes and reads them, without a member. */
@State(Scope.Thread)
public class Entries {
  private static final int PROCESSES = 32;
  private static final int USER = 2001;
  private static final Instant AT = Instant.ofEpochSecond(1_700_000_000);
  private static final NodeEpoch RUN =
      new NodeEpoch(new NodeName("node4711"), "7b0f8a1e-55c1-4f0c-9d3f-1d7a0c5be1aa", 3);

  /** A member keeps the schemas that it has seen just so. */
  private record Schemas(Map<Long, Schema> known) implements SchemaService {
    @Override
    public @Nullable Schema get(long schema) {
      return known.get(schema);
    }

    @Override
    public void put(Schema schema) {
      putLocal(schema);
    }

    @Override
    public void putLocal(Schema schema) {
      known.put(schema.getSchemaId(), schema);
    }
  }

  private final SerializationService serialization =
      new DefaultSerializationServiceBuilder()
          .setSchemaService(new Schemas(new ConcurrentHashMap<>()))
          .setConfig(
              MemberConfig.of(
                      new GridConfig(
                          "alps", "gate", Endpoint.parse("127.0.0.1:7452"), List.of(), false))
                  .getSerializationConfig())
          .build();
  private final CallValue call =
      new CallValue(
          RUN,
          1,
          AT.toEpochMilli(),
          150_000,
          new Caller(
              "alps",
              RUN.node(),
              new Membership.InJob(new JobStep(new JobId(4711), StepId.of(0))),
              USER,
              new ProcessRef(4711, 815),
              AT));
  private final JobValue job =
      new JobValue(
          RUN,
          1,
          new Job(new JobId(4711), USER, USER, AT, JobState.OPEN),
          "alice",
          IntStream.rangeClosed(1, PROCESSES)
              .mapToObj(pid ->
                  new JobProcess(new ProcessRef(pid, 815), StepId.of(0), "./simulation --in data"))
              .toList(),
          AT);
  private final NodeValue node =
      NodeValue.connected(
          null,
          new NodeDescription(
              RUN,
              Set.of(InetAddress.ofLiteral("10.77.0.11"), InetAddress.ofLiteral("fd77::11")),
              "gate:7450",
              "0.1.0",
              "sock_ops"),
          AT.toEpochMilli(),
          30_000);
  private final Data callData = serialization.toData(call);
  private final Data jobData = serialization.toData(job);
  private final Data nodeData = serialization.toData(node);

  @Benchmark
  public Data writeCall() {
    return serialization.toData(call);
  }

  @Benchmark
  public Object readCall() {
    return serialization.toObject(callData);
  }

  @Benchmark
  public Data writeJob() {
    return serialization.toData(job);
  }

  @Benchmark
  public Object readJob() {
    return serialization.toObject(jobData);
  }

  @Benchmark
  public Data writeNode() {
    return serialization.toData(node);
  }

  @Benchmark
  public Object readNode() {
    return serialization.toObject(nodeData);
  }
}
