package dev.rollcall.cli;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import dev.rollcall.proto.v1.Caller;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.wire.CallerMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Names the caller of one connection. */
@Command(
    name = "whois",
    description = "Tell which job, step, node, user and process opened a connection.")
final class WhoisCommand extends AskingCommand {
  @Parameters(
      index = "0",
      paramLabel = "SRC",
      description = "The caller's end: ADDRESS:PORT, IPv6 in brackets.")
  private Endpoint source = Endpoint.of(new byte[4], 0);

  @Parameters(index = "1", paramLabel = "DST", description = "The called end: ADDRESS:PORT.")
  private Endpoint destination = Endpoint.of(new byte[4], 0);

  @Option(names = "--udp", description = "A UDP socket, not a TCP connection.")
  private boolean udp;

  WhoisCommand(CliContext outside) {
    super(outside);
  }

  @Override
  public Integer call() {
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
              "whoever knows the caller of "
                  + connection
                  + " is unreachable: "
                  + answer.getUnreachable().getReason());
      case ANSWER_NOT_SET ->
          throw new CommandFailure(
              ExitCode.FAILED, "the " + asking.target() + " gave an answer of a kind unknown here");
    };
  }

  private Connection connection() {
    try {
      return new Connection(udp ? Protocol.UDP : Protocol.TCP, source, destination);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private int found(Caller caller) {
    String user = users.nameOf(Integer.toUnsignedLong(caller.getUid()));
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
                Values.time(caller.getCalledAt()));
    return printing.print(table, json(caller, user));
  }

  /** Job and step are null for a caller that is known to be in no job. */
  @SuppressWarnings("NullAway")
  private static Map<String, Object> json(Caller caller, String user) {
    var json = new LinkedHashMap<String, Object>();
    json.put("cluster", caller.getCluster());
    json.put("node", caller.getNode());
    json.put("job", caller.hasJob() ? caller.getJob().getJobId() : null);
    json.put("step", caller.hasJob() ? caller.getJob().getStep() : null);
    json.put("user", user);
    json.put("uid", Integer.toUnsignedLong(caller.getUid()));
    json.put("pid", caller.getProcess().getPid());
    json.put("start_time", caller.getProcess().getStartTime());
    json.put("called_at", Values.time(caller.getCalledAt()));
    return json;
  }
}
