package dev.rollcall.cli.top;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.Pages;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.node.NodesCommand;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.Session;
import io.grpc.Channel;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows nodes, jobs and sessions as they are, until it is told to end. */
@Command(
    name = "top",
    description = {
      "Show the nodes, jobs and sessions that you may see, and update them regularly.",
      "q or Ctrl-C ends it."
    })
public final class TopCommand extends AskingCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--once", description = "Print one frame of 80 by 24, or JSON, and exit.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Interval between updates (default: ${DEFAULT-VALUE}).")
  private DurationText every = DurationText.parse("2s");

  @Override
  public Integer call() {
    if (every.duration().toMillis() < 100) {
      throw CommandFailure.usage("--every " + every + " is not at least 100ms");
    }
    var frame = new TopFrame(users());
    if (once) {
      TopSight sight = look();
      List<String> lines =
          frame.lines(sight, Terminal.Size.USUAL.width(), Terminal.Size.USUAL.height());
      return printing.print(String.join(System.lineSeparator(), lines), frame.json(sight));
    }
    if (printing.json()) {
      throw CommandFailure.usage("--json needs --once");
    }
    PrintWriter out = spec.commandLine().getOut();
    TopSight last = look();
    try (Terminal terminal = Terminal.take(out)) {
      CountDownLatch end = untilKey('q');
      show(terminal, frame, last);
      while (!end.await(every.duration().toMillis(), TimeUnit.MILLISECONDS)) {
        last = lookAfter(last);
        show(terminal, frame, last);
      }
      return ExitCode.OK.status();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "there is no terminal (give --once): " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED.status();
    }
  }

  /**
   * Returns the earlier data with the reason if there is no answer, as while the agent restarts.
   */
  private TopSight lookAfter(TopSight last) {
    try {
      return look();
    } catch (CommandFailure e) {
      return new TopSight(last.at(), last.nodes(), last.jobs(), last.sessions(), e.line());
    }
  }

  private static void show(Terminal terminal, TopFrame frame, TopSight sight) throws IOException {
    Terminal.Size size = terminal.size();
    terminal.show(frame.lines(sight, size.width(), size.height()));
  }

  /** Counted down by the key, and by the end of what can be read. */
  private static CountDownLatch untilKey(int key) {
    var end = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .name("keys")
        .start(() -> {
          try {
            int read = System.in.read();
            while (read >= 0 && read != key) {
              read = System.in.read();
            }
          } catch (IOException e) {
            // The terminal has gone.
          }
          end.countDown();
        });
    return end;
  }

  /** Sessions are this node's alone; nodes are the gateway's to tell, who may be away. */
  private TopSight look() {
    return asking.ask(channel -> {
      Set<String> problems = new LinkedHashSet<>();
      List<Node> nodes = part(channel, NodesCommand::list, "nodes", problems);
      List<Job> jobs = part(channel, TopCommand::jobs, "jobs", problems);
      List<Session> sessions = part(channel, TopCommand::sessions, "sessions", problems);
      if (problems.size() == 3) {
        // Nobody is there at all, and says why.
        var _ = jobs(channel);
      }
      return new TopSight(
          Clock.systemUTC().instant(), nodes, jobs, sessions, String.join("; ", problems));
    });
  }

  private static <T> List<T> part(
      Channel channel, Function<Channel, List<T>> question, String what, Set<String> problems) {
    try {
      return question.apply(channel);
    } catch (io.grpc.StatusRuntimeException e) {
      String said = e.getStatus().getDescription();
      problems.add(what + ": " + (said == null ? e.getStatus().getCode() : said));
      return List.of();
    }
  }

  private static List<Job> jobs(Channel channel) {
    return Pages.jobs(channel, ListRequest.newBuilder());
  }

  private static List<Session> sessions(Channel channel) {
    return AdoptionServiceGrpc.newBlockingStub(channel)
        .listSessions(ListSessionsRequest.getDefaultInstance())
        .getSessionsList();
  }
}
