package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.OwnSession.Seen;
import dev.rollcall.model.ProcessRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnSessionTest {
  private static Seen seen(int pid, int session, String cgroup) {
    return new Seen(new ProcessRef(pid, pid), 1001, session, cgroup, "p" + pid);
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
}
