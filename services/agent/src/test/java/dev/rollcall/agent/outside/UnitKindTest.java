package dev.rollcall.agent.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Processes.Seen;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitKindTest {
  @ParameterizedTest
  @CsvSource({
    "/user.slice/user-2001.slice/user@2001.service/init.scope, USER_MANAGER",
    "/user.slice/user-2001.slice/user@2001.service, USER_MANAGER",
    "/user.slice/user-2001.slice/user@2001.service/app.slice/run-r1.service, USER_SERVICE",
    "/user.slice/user-2001.slice/user@2001.service/app.slice/app.scope/x, USER_SERVICE",
    "/user.slice/user-2001.slice/user@2001.service/app.slice/user@1.service, USER_SERVICE",
    "/user.slice/user-2001.slice/user@2001.service/user@1.service/init.scope, USER_SERVICE",
    "user@2001.service, USER_MANAGER",
    "/system.slice/cron.service, SCHEDULER",
    "/system.slice/crond.service/x, SCHEDULER",
    "/system.slice/atd.service, SCHEDULER",
    "/user.slice/user-2001.slice/session-3.scope, ELSEWHERE",
    "/system.slice/ssh.service, ELSEWHERE",
    "/home/cron.service.d, ELSEWHERE",
    "/, ELSEWHERE"
  })
  void isToldByTheNamesOfUnits(String cgroup, UnitKind place) {
    assertEquals(place, UnitKind.of(cgroup));
  }

  @ParameterizedTest
  @CsvSource({
    "/user.slice/user-2001.slice/user@2001.service/init.scope, 1, USER_MANAGER",
    "/user.slice/user-2001.slice/user@2001.service, 1, USER_MANAGER",
    "/user.slice/user-2001.slice/user@2001.service/init.scope, 7, USER_SERVICE",
    "/user.slice/user-2001.slice/user@2001.service, 7, USER_SERVICE",
    "/user.slice/user-2001.slice/user@2001.service/app.slice/run-r1.service, 1, USER_SERVICE",
    "/system.slice/cron.service, 7, SCHEDULER",
    "/user.slice/user-2001.slice/session-3.scope, 7, ELSEWHERE"
  })
  void ofAProcessThatStaysIsToldByItsParent(String cgroup, int parent, UnitKind place) {
    var process =
        new Seen(
            new ProcessRef(8, 8),
            parent,
            TestNode.ALICE,
            TestNode.ALICE,
            "sleep",
            cgroup,
            TestNode.NOON);
    assertEquals(place, UnitKind.ofStaying(process));
  }
}
