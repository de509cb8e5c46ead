package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types every command of docs/quick-start.md, in its order, into three machines with systemd, sshd
 * and dpkg on a network of their own, and compares what the page shows of the answers.
 */
@Tag("machine")
@Tag("full")
@ExtendWith(Packages.Once.class)
class QuickStartTest {
  private static final Path PAGE = SourceTree.ROOT.resolve("docs/quick-start.md");

  @TempDir private Path folder = Path.of("");

  @Test
  void everyCommandDoesWhatThePageShows(Packages packages) throws Exception {
    List<Typed> commands = Typed.in(PAGE);
    assertTrue(commands.size() > 20, () -> "too few: " + commands);
    try (RoutedMachines machines = RoutedMachines.start(folder, packages)) {
      for (Typed typed : commands) {
        for (String name : typed.machines()) {
          type(typed, name, machines.machine(name));
        }
      }
    }
  }

  private static void type(Typed typed, String name, SystemdContainer machine) {
    Result result =
        machine.run(
            RoutedMachines.WITHIN, "bash", "-lc", "cd /root; exec 2>&1; " + typed.command());
    System.out.println(name + "# " + typed.command() + "\n" + result.out());
    assertEquals(
        0, result.exit(), () -> name + ": " + typed + "\n" + result.out() + journal(machine));
    assertEquals(List.of(), typed.missing(result.out()), () -> typed + " says\n" + result.out());
  }

  private static String journal(SystemdContainer machine) {
    return machine
        .run(
            RoutedMachines.WITHIN, "journalctl", "-q", "--no-pager", "-n", "30", "-u", "rollcall-*")
        .out();
  }
}
