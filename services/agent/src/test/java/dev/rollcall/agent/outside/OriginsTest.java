package dev.rollcall.agent.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.OutsideProcess.Origin;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Processes.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a process came to be in no job. */
class OriginsTest {
  private static Seen seen(int pid, int parent, int uid, String command, String cgroup) {
    return new Seen(new ProcessRef(pid, pid), parent, uid, uid, command, cgroup, TestNode.NOON);
  }

  private static final Seen INIT = seen(1, 0, 0, "systemd", "/init.scope");
  private static final Seen SHELL = seen(20, 10, TestNode.ALICE, "sh", "/rest");

  @ParameterizedTest
  @CsvSource({
    "/system.slice/cron.service, CRON",
    "/system.slice/crond.service, CRON",
    "/system.slice/anacron.service, CRON",
    "/system.slice/atd.service, AT",
    "/user.slice/user-2001.slice/user@2001.service/app.slice/run-1.service, USER_MANAGER",
    "/user.slice/user-2001.slice/user@2001.service/init.scope, USER_MANAGER",
    "/user.slice/user-2001.slice/session-7.scope, LOGIN",
    "/system.slice/ssh.service, LEFT_OVER",
    "/rest, LEFT_OVER"
  })
  void theUnitTellsOfAProcessWithoutParents(String cgroup, Origin origin) {
    Seen process = seen(30, 1, TestNode.ALICE, "sleep", cgroup);
    assertEquals(origin, Origins.of(process, List.of(INIT)));
    assertEquals(origin, Origins.of(process, List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "cron, CRON",
    "crond, CRON",
    "fcron, CRON",
    "atd, AT",
    "sshd, SSH",
    "sshd-session, SSH",
    "slurmd, UNKNOWN"
  })
  void whereThereAreNoUnitsTheDaemonTellsThatItDescendsFrom(String daemon, Origin origin) {
    Seen process = seen(30, 20, TestNode.ALICE, "sleep", "/rest");
    Seen root = seen(10, 1, 0, daemon, "/rest");
    assertEquals(origin, Origins.of(process, List.of(SHELL, root, INIT)));
  }

  /** The nearest one: sshd began the shell in which somebody restarted cron. */
  @Test
  void theNearestDaemonTells() {
    Seen process = seen(30, 20, TestNode.ALICE, "sleep", "/rest");
    Seen cron = seen(10, 5, 0, "cron", "/rest");
    Seen sshd = seen(5, 1, 0, "sshd", "/rest");
    assertEquals(Origin.CRON, Origins.of(process, List.of(SHELL, cron, sshd, INIT)));
  }

  @Test
  void aUsersProcessThatCallsItselfCronIsNotCron() {
    Seen process = seen(30, 20, TestNode.ALICE, "sleep", "/rest");
    Seen forged = seen(10, 1, TestNode.ALICE, "cron", "/rest");
    assertEquals(Origin.UNKNOWN, Origins.of(process, List.of(forged, INIT)));
    // A program that is setuid is called as the user likes, too.
    Seen setuid =
        new Seen(new ProcessRef(11, 11), 1, TestNode.ALICE, 0, "cron", "/rest", TestNode.NOON);
    assertEquals(Origin.UNKNOWN, Origins.of(process, List.of(setuid, INIT)));
  }
}
