package dev.rollcall.cli.caller;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.ProcessAnswer;
import dev.rollcall.wire.CallerMapper;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Names the caller of one connection, or the job of one process. */
@Command(
    name = "whois",
    description = {
      "Show which job, step, node, user and process opened a connection: whois SRC DST.",
      "Or show the job of a process: whois --pid PID --node NODE."
    })
public final class WhoisCommand extends AskingCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SRC",
      description = "The caller's end: ADDRESS:PORT, IPv6 in brackets.")
  private @Nullable Endpoint source;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DST",
      description = "The called end: ADDRESS:PORT.")
  private @Nullable Endpoint destination;

  @Option(names = "--udp", description = "A UDP socket, not a TCP connection.")
  private boolean udp;

  @Option(names = "--pid", paramLabel = "PID", description = "A process, not a connection.")
  private @Nullable Integer pid;

  @Option(names = "--node", paramLabel = "NODE", description = "The process's node.")
  private @Nullable String node;

  @Option(
      names = "--start-time",
      paramLabel = "TICKS",
      description = "Only the process that started then: field 22 of /proc/PID/stat.")
  private @Nullable Long startTime;

  @Override
  public Integer call() {
    if (pid != null) {
      return process(pid);
    }
    Connection connection = connection();
    var request =
        IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(connection)).build();
    CallerAnswer answer =
        asking
            .ask(channel -> CallerIdServiceGrpc.newBlockingStub(channel).identify(request))
            .getAnswer();
    return switch (answer.getAnswerCase()) {
      case FOUND -> found(answer.getFound());
      case UNKNOWN ->
          throw new CommandFailure(
              ExitCode.NOT_FOUND,
              "the caller of " + connection + " is unknown: " + answer.getUnknown().getReason());
      case UNREACHABLE ->
          throw new CommandFailure(
              ExitCode.UNAVAILABLE,
              "the node that knows the caller of "
                  + connection
                  + " is unreachable: "
                  + answer.getUnreachable().getReason());
      case ANSWER_NOT_SET ->
          throw new CommandFailure(
              ExitCode.FAILED, "the " + asking.target() + " sent an unknown kind of answer");
    };
  }

  private int process(int number) {
    if (node == null || source != null || udp) {
      throw CommandFailure.usage("--pid needs --node, and excludes SRC, DST and --udp");
    }
    var request = IdentifyProcessRequest.newBuilder().setNode(node).setPid(number);
    if (startTime != null) {
      request.setStartTime(startTime);
    }
    ProcessAnswer answer =
        asking
            .ask(channel ->
                CallerIdServiceGrpc.newBlockingStub(channel).identifyProcess(request.build()))
            .getAnswer();
    return switch (answer.getAnswerCase()) {
      case IN_JOB, IN_NO_JOB -> {
        var process = new FoundProcess(request.getNode(), number, answer, users());
        yield printing.print(process.table(), process.json());
      }
      case UNKNOWN ->
          throw new CommandFailure(
              ExitCode.NOT_FOUND,
              "the job of pid "
                  + number
                  + " on node "
                  + request.getNode()
                  + " is unknown: "
                  + answer.getUnknown().getReason());
      case ANSWER_NOT_SET ->
          throw new CommandFailure(
              ExitCode.FAILED, "the " + asking.target() + " sent an unknown kind of answer");
    };
  }

  private Connection connection() {
    if (source == null || destination == null) {
      throw CommandFailure.usage("give SRC and DST, or --pid and --node");
    }
    if (node != null || startTime != null) {
      throw CommandFailure.usage("--node and --start-time are only for --pid");
    }
    try {
      return new Connection(udp ? Protocol.UDP : Protocol.TCP, source, destination);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  private int found(Caller caller) {
    String user = users().nameOf(caller.getUid());
    boolean inJob = caller.hasJob();
    Object job = inJob ? (Object) caller.getJob().getJobId() : "none";
    String step = inJob ? caller.getJob().getStep() : "";
    var table =
        new Table("JOB", "STEP", "NODE", "USER", "PID", "CALLED")
            .row(
                job,
                step,
                caller.getNode(),
                user,
                caller.getProcess().getPid(),
                Values.clock(caller.getCalledAt()));
    return printing.print(table, json(caller, user));
  }

  /** Job and step are null for a caller that is known to be in no job. */
  private static JsonFields json(Caller caller, String user) {
    return new JsonFields()
        .with("cluster", caller.getCluster())
        .with("node", caller.getNode())
        .with("job", caller.hasJob() ? caller.getJob().getJobId() : null)
        .with("step", caller.hasJob() ? caller.getJob().getStep() : null)
        .with("user", user)
        .with("uid", Integer.toUnsignedLong(caller.getUid()))
        .with("pid", caller.getProcess().getPid())
        .with("start_time", caller.getProcess().getStartTime())
        .with("called_at", Values.time(caller.getCalledAt()));
  }
}
