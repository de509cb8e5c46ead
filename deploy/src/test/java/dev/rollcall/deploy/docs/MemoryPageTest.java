package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of ADR 52 are those of the code, and their sum fits the heap. */
class MemoryPageTest {
  private static final String ADR = "adr/0052-memory-of-other-parties-is-bounded.md";
  private static final Path LAUNCHER = Path.of("src/main/launcher/rollcall");
  private static final String SUMS = "| in the heap at most | agent | gateway |";
  private static final String BUDGETS = "| process | heap | share of a peer | total of all peers |";
  private static final String BOUNDS = "| queue or buffer | bound |";
  private static final Pattern MEBIBYTES = Pattern.compile("(\\d+) MiB");

  /** A row's beginning, and the constants of the code whose figures stand in it. */
  private record Bound(String row, List<String> constants) {
    static Bound of(String row, String... constants) {
      return new Bound(row, List.of(constants));
    }
  }

  private static final List<Bound> CODE =
      List.of(
          Bound.of(
              "connections of a user to an agent",
              "wire.grpc.limit.UserConnectionLimit.MOST_OF_A_USER"),
          Bound.of(
              "connections of all users together",
              "wire.grpc.limit.UserConnectionLimit.MOST_OF_ALL",
              "wire.grpc.limit.UserConnectionLimit.ALWAYS_OF_A_USER",
              "wire.grpc.limit.UserConnectionLimit.MOST_EVER"),
          Bound.of(
              "logins in progress",
              "agent.login.LoginService.MOST_UNDER_WAY",
              "agent.login.LoginService.MOST_OF_A_USER"),
          Bound.of("processes in one answer", "agent.serve.LocalJobs.MOST_PROCESSES"),
          Bound.of(
              "processes of jobs that an agent reads",
              "agent.gateway.JobReporter.MOST_PROCESSES_OF_A_JOB",
              "agent.gateway.JobReporter.MOST_PROCESSES"),
          Bound.of("processes outside their jobs", "agent.outside.OutsideProcesses.MOST"),
          Bound.of(
              "processes of a session",
              "agent.KernelProcesses.MOST_BELOW",
              "agent.KernelProcesses.MOST_THREADS_BELOW"),
          Bound.of("UDP sockets of one port", "linux.net.SockDiag.MOST_ON_PORT"),
          Bound.of(
              "processes of a user that are searched",
              "linux.calls.SockDiagCalls.MOST_PROCESSES",
              "linux.calls.SocketHolder.MOST_DESCRIPTORS"),
          Bound.of(
              "questions of gateways",
              "agent.watch.GatewayQuestions.MOST",
              "agent.gateway.QuestionReader.MOST_WAITING"),
          Bound.of(
              "jobs that processes chose",
              "agent.watch.ChosenCalls.MOST_OF_A_USER",
              "agent.watch.ChosenCalls.MOST"),
          Bound.of("groups of users", "agent.UserGroups.MOST_KNOWN"),
          Bound.of(
              "names of users of a directory",
              "agent.DirectoryUserNames.MOST_KNOWN",
              "agent.DirectoryUserNames.MOST_WAITING"),
          Bound.of(
              "variables of a task",
              "jobs.slurm.TaskVariables.MOST",
              "jobs.slurm.TaskVariables.MOST_BYTES"),
          Bound.of(
              "lines of the usage file",
              "wire.lines.Waiting.BATCH",
              "agent.account.UsageFile.LARGEST_SPOOL"),
          Bound.of("calls of a user under way", "agent.serve.ServeVerticle.CALLS_OF_A_USER"),
          Bound.of(
              "questions of users",
              "agent.serve.ServeVerticle.CALLS_OF_A_USER",
              "agent.serve.LocalCallerIdService.QUESTIONS_AT_ONCE"),
          Bound.of(
              "connections without a certificate",
              "wire.grpc.limit.UnauthenticatedConnectionLimit.MOST_OF_AN_ADDRESS"),
          Bound.of(
              "an event of a node's stream",
              "gateway.node.EventBounds.FEW",
              "gateway.node.NodeSession.WINDOW"),
          Bound.of(
              "jobs and processes of a node's stream",
              "gateway.node.JobUpdates.MOST_JOBS",
              "gateway.node.JobUpdates.MOST_PROCESSES_OF_A_JOB",
              "gateway.node.JobUpdates.MOST_PROCESSES"),
          Bound.of("calls of a node in the roll", "gateway.node.CallsKept.MOST_OF_A_NODE"),
          Bound.of(
              "calls and decisions for clients that watch them",
              "gateway.route.WatchQueue.MOST_WAITING"),
          Bound.of("nodes that pushed callers", "gateway.stream.PushingNodes.BITS"),
          Bound.of("text of a node", "wire.NodeMapper.MOST_ADDRESSES"),
          Bound.of(
              "decisions",
              "gateway.route.AdoptionsKnown.MOST",
              "gateway.route.AdoptionsKnown.MOST_OF_A_NODE"),
          Bound.of(
              "mail for another gateway",
              "roll.Outbox.MOST_WAITING",
              "roll.Outbox.MOST_BYTES_WAITING"),
          Bound.of(
              "connections to a gateway's member port",
              "roll.MemberConnections.MOST",
              "roll.MemberConnections.MOST_OF_STRANGERS",
              "roll.MemberConnections.PACKETS_IN_A_HEAP"),
          Bound.of("a line of the log", "wire.log.LogText.LONGEST"));

  /** Bounds of a library, or that are no number in the code. */
  private static final Set<String> OTHERS =
      Set.of(
          "bytes that came and that a service does not take yet",
          "pages of metrics",
          "headers while they come",
          "jobs of a node in the roll");

  @ParameterizedTest
  @CsvSource({"1, agent", "2, gateway"})
  void theSumFitsTheHeapThatTheLauncherGives(int column, String process) throws IOException {
    List<List<String>> rows = table(SUMS);
    int sum = 0;
    for (List<String> row : rows.subList(0, rows.size() - 1)) {
      sum += mebibytes(row.get(column));
    }
    assertEquals("sum", rows.getLast().getFirst());
    assertEquals(sum, mebibytes(rows.getLast().get(column)));
    int heap = heap(process);
    assertTrue(sum <= heap, sum + " MiB in a heap of " + heap);
    List<String> budget = row(table(BUDGETS), process);
    assertEquals(heap, mebibytes(budget.get(1)));
    assertEquals(2 * mebibytes(budget.get(3)), mebibytes(row(rows, "all peers").get(column)));
  }

  @Test
  void theBudgetsAreThoseOfTheCode() throws Exception {
    List<String> agent = row(table(BUDGETS), "agent");
    assertFigure(agent.get(2), "wire.grpc.PeerBounds.USER_BYTES");
    assertFigure(agent.get(3), "wire.grpc.PeerBounds.USERS_BYTES");
    List<String> gateway = row(table(BUDGETS), "gateway");
    int heap = heap("gateway");
    assertEquals(heap / value("wire.grpc.PeerBounds.PEERS_IN_A_HEAP"), mebibytes(gateway.get(2)));
    assertEquals(heap / value("wire.grpc.PeerBounds.BUDGETS_IN_A_HEAP"), mebibytes(gateway.get(3)));
    List<List<String>> sums = table(SUMS);
    assertFigure(row(sums, "lines of the audit log").get(1), "wire.audit.AuditLog.MOST_WAITING");
    long decisions =
        value("gateway.route.AdoptionsKnown.MOST")
            * value("gateway.route.AdoptionsKnown.MOST_BYTES");
    assertEquals(Math.ceilDiv(decisions, 1L << 20), mebibytes(row(sums, "decisions").get(2)));
    assertFigure(row(sums, "mail").get(2), "roll.Outbox.MOST_BYTES_WAITING");
  }

  @Test
  void eachBoundIsThatOfTheCode() throws Exception {
    List<List<String>> rows = table(BOUNDS);
    for (Bound bound : CODE) {
      for (String constant : bound.constants()) {
        assertFigure(row(rows, bound.row()).get(1), constant);
      }
    }
    var unknown = new TreeSet<String>();
    for (List<String> row : rows) {
      String name = row.getFirst();
      if (!OTHERS.contains(name) && CODE.stream().noneMatch(b -> name.startsWith(b.row()))) {
        unknown.add(name);
      }
    }
    assertEquals(Set.of(), unknown, "rows that are compared with nothing");
  }

  /** The number itself, or in KiB or MiB. */
  private static void assertFigure(String cell, String constant) throws Exception {
    long value = value(constant);
    List<String> ways =
        Stream.of(
                String.format(Locale.ROOT, "%,d", value),
                (value % 1_024 == 0 ? value / 1_024 : -1) + " KiB",
                (value % (1 << 20) == 0 ? value >> 20 : -1) + " MiB")
            .filter(way ->
                Pattern.compile("(?<!\\d)(?<!\\d,)" + way + "(?!,?\\d)").matcher(cell).find())
            .toList();
    assertTrue(!ways.isEmpty(), constant + " is " + value + ", the page says: " + cell);
  }

  private static long value(String constant) throws Exception {
    int dot = constant.lastIndexOf('.');
    Field field =
        Class.forName("dev.rollcall." + constant.substring(0, dot))
            .getDeclaredField(constant.substring(dot + 1));
    field.setAccessible(true);
    return ((Number) field.get(null)).longValue();
  }

  private static int heap(String process) throws IOException {
    String launcher = Files.readString(LAUNCHER);
    Matcher heap =
        Pattern.compile("kept=\\$\\(cache " + process + "\\).*?-Xmx(\\d+)m ", Pattern.DOTALL)
            .matcher(launcher);
    assertTrue(heap.find(), process);
    return Integer.parseInt(heap.group(1));
  }

  private static int mebibytes(String cell) {
    Matcher matcher = MEBIBYTES.matcher(cell);
    assertTrue(matcher.find(), cell);
    return Integer.parseInt(matcher.group(1));
  }

  private static List<String> row(List<List<String>> table, String start) {
    List<List<String>> found =
        table.stream().filter(row -> row.getFirst().startsWith(start)).toList();
    assertEquals(1, found.size(), start);
    return found.getFirst();
  }

  /** The cells below a heading. */
  private static List<List<String>> table(String heading) throws IOException {
    List<String> lines = Page.read(ADR).lines();
    int at = lines.indexOf(heading);
    assertTrue(at >= 0, heading);
    var rows = new ArrayList<List<String>>();
    for (String line : lines.subList(at + 2, lines.size())) {
      if (!line.startsWith("| ")) {
        break;
      }
      rows.add(Stream.of(line.substring(2).split(" \\|", -1)).map(String::strip).toList());
    }
    return rows;
  }
}
