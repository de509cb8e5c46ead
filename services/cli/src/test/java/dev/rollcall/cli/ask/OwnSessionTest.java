package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.ask.OwnSession.Seen;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.ProcessStat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnSessionTest {
  private static Seen seen(int pid, int session, String cgroup) {
    return child(pid, 0, 1001, session, cgroup);
  }

  private static Seen child(int pid, int parent, int uid, int session, String cgroup) {
    return new Seen(
        new ProcessStat(pid, "p" + pid, 'S', parent, session, 0, pid),
        uid,
        ProcessCgroups.parse(cgroup.lines().toList()));
  }

  private static List<Integer> of(Seen self, Seen... others) {
    return OwnSession.of(self, List.of(others)).stream().map(each -> each.process().pid()).toList();
  }

  @Test
  void inAJobIsAllThatIsInItsCgroup() {
    String here = "8:freezer:/\n0::/system.slice/rollcall.scope/job_7/step_extern/session_2\n";
    Seen self = seen(1, 1, here);
    assertEquals(
        List.of(2, 3),
        of(self, self, seen(2, 1, here), seen(3, 9, here), seen(4, 1, here.replace("_2", "_3"))));
  }

  @Test
  void outsideOfJobsIsTheTerminalSessionAlone() {
    String here = "0::/user.slice/user-1001.slice/user@1001.service/app.slice\n";
    Seen self = seen(1, 1, here);
    assertEquals(List.of(2), of(self, self, seen(2, 1, here), seen(3, 9, here)));
  }

  @Test
  void aNameThatOnlyBeginsLikeAJobsIsNone() {
    Seen self = seen(1, 1, "0::/user.slice/job_x\n");
    assertEquals(false, self.inJob());
    assertEquals(true, seen(1, 1, "0::/a/job_7\n").inJob());
    assertEquals(true, seen(1, 1, "4:freezer:/slurm/uid_1/job_7/step_0\n0::/\n").inJob());
  }

  @Test
  void whatWasMovedBeforeBelongsToItByItsParents() {
    String here = "0::/job_7/step_extern/session_%d\n";
    Seen sshdOfRoot = child(10, 1, 0, 10, here.formatted(1));
    Seen sshd = child(11, 10, 1001, 10, here.formatted(2));
    Seen shell = child(12, 11, 1001, 12, here.formatted(3));
    Seen self = child(13, 12, 1001, 12, here.formatted(3));
    Seen behind = child(14, 12, 1001, 12, here.formatted(4));
    Seen other = child(21, 20, 1001, 21, here.formatted(9));
    assertEquals(List.of(11, 12, 14), of(self, sshdOfRoot, sshd, shell, self, behind, other));
  }

  @Test
  void aUsersSystemdIsNotWhereASessionBegins() {
    String job = "0::/job_7/step_extern/session_1\n";
    Seen systemd = child(10, 1, 1001, 10, "0::/user.slice/user@1001.service/init.scope\n");
    Seen self = child(11, 10, 1001, 11, job);
    Seen service = child(12, 10, 1001, 12, "0::/user.slice/user@1001.service/app.slice\n");
    assertEquals(List.of(), of(self, systemd, self, service));
  }
}
