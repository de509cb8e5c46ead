package dev.rollcall.load.processes;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.roll.Grid;
import dev.rollcall.roll.GridConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A roll of three members in this JVM, with nodes that have one job each. */
final class FilledRoll implements AutoCloseable {
  static final int PROCESSES = 100;

  /** The pid of each job's first process. */
  static final int FIRST = 4_000;

  private static final int MEMBERS = 3;
  private static final Duration LEASE = Duration.ofHours(1);

  private final List<Grid> members = new ArrayList<>();

  private FilledRoll() {}

  static FilledRoll start() {
    var roll = new FilledRoll();
    try {
      List<Integer> ports = freePorts();
      List<String> all = ports.stream().map(port -> "127.0.0.1:" + port).toList();
      for (int port : ports) {
        roll.members.add(
            Grid.start(
                new GridConfig(
                    "bench-" + ports.getFirst(),
                    "gate:" + port,
                    Endpoint.parse("127.0.0.1:" + port),
                    all,
                    false)));
      }
      return roll;
    } catch (IOException e) {
      roll.close();
      throw new BenchFailedException("the roll's members do not start", e);
    }
  }

  private static List<Integer> freePorts() throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  static NodeName name(int number) {
    return new NodeName("node%05d".formatted(number));
  }

  void fill(int nodes) {
    for (int i = 0; i < nodes; i++) {
      enter(members.get(i % MEMBERS).roll(), i);
    }
  }

  private static void enter(Roll roll, int number) {
    var run = new NodeEpoch(name(number), "boot", 1);
    var address = InetAddress.ofLiteral("10.64.%d.%d".formatted(number >> 8 & 0xff, number & 0xff));
    var said = new NodeDescription(run, Set.of(address), "gate:7450", "0.1.0", "sock_ops");
    if (!(roll.connect(said, LEASE) instanceof Standing.Connected(var registration))) {
      throw new BenchFailedException(name(number) + " is not admitted");
    }
    Instant now = Instant.now();
    roll.enterJob(
        registration,
        new Job(new JobId(number + 1), 1_000, 1_000, now, JobState.OPEN),
        "alice",
        IntStream.range(0, PROCESSES)
            .mapToObj(i ->
                new JobProcess(
                    new ProcessRef(FIRST + i, 1_000_000L + i), i == 0 ? StepId.EXTERN : STEP, ""))
            .toList(),
        now);
    roll.complete(registration);
  }

  private static final StepId STEP = StepId.of(0);

  /** The roll of the last member. */
  Roll reader() {
    return members.getLast().roll();
  }

  @Override
  public void close() {
    members.forEach(Grid::close);
  }
}
