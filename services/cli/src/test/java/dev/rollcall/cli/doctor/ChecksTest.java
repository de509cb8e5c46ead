package dev.rollcall.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.doctor.Finding.State;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each check, with a node that is as it should be and with one that is not. */
class ChecksTest {
  private static final String GOOD_STACK =
      """
      # as docs/pam.md has it
      auth       optional     pam_rollcall.so
      @include common-auth
      account    required     pam_nologin.so
      @include common-account
      account    required     pam_rollcall.so
      session    required     pam_limits.so
      @include common-session
      session    required     pam_rollcall.so
      """;
  private static final Map<String, String> INCLUDED =
      Map.of(
          "common-auth", "auth required pam_unix.so\n",
          "common-account",
              "account [success=1 default=ignore] pam_unix.so\n"
                  + "account requisite pam_deny.so\naccount required pam_permit.so\n",
          "common-session", "session optional pam_umask.so\n-session optional pam_systemd.so\n");
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static List<PamLine> stack(String sshd) {
    return PamLine.stack(
        "sshd", name -> Optional.ofNullable(name.equals("sshd") ? sshd : INCLUDED.get(name)));
  }

  private static State of(String id, List<Finding> findings) {
    return one(id, findings).state();
  }

  private static Finding one(String id, List<Finding> findings) {
    List<Finding> of = findings.stream().filter(each -> each.id().equals(id)).toList();
    assertEquals(1, of.size(), () -> id + " in " + findings);
    return of.getFirst();
  }

  @Nested
  class Pam {
    private State of(String id, String sshd) {
      return ChecksTest.of(id, PamChecks.of(stack(sshd), false));
    }

    @Test
    void theStackOfTheDocumentsIsGood() {
      for (Finding finding : PamChecks.of(stack(GOOD_STACK), false)) {
        assertEquals(State.GOOD, finding.state(), finding.toString());
      }
    }

    @Test
    void linesAreReadThroughIncludesInTheirPlaces() {
      assertEquals(
          List.of(
              "pam_nologin.so", "pam_unix.so", "pam_deny.so", "pam_permit.so", "pam_rollcall.so"),
          stack(GOOD_STACK).stream()
              .filter(line -> line.type().equals("account"))
              .map(PamLine::module)
              .toList());
      assertEquals(
          List.of(
              new PamLine(
                  "session",
                  "[a=1 b=2]",
                  "pam_x.so",
                  "/lib/security/",
                  List.of("one", "two"),
                  true,
                  List.of())),
          stack("-session [a=1 b=2] /lib/security/pam_x.so one \\\n two # three\n"));
      assertEquals(
          List.of(
              new PamLine(
                  "account",
                  "[success=1 default=ignore]",
                  "pam_unix.so",
                  "",
                  List.of(),
                  false,
                  List.of())),
          stack("account include common-account\n").subList(0, 1));
    }

    @Test
    void anIncludeOfItselfEnds() {
      assertEquals(List.of(), PamLine.stack("sshd", _ -> Optional.of("@include sshd\n")));
    }

    @Test
    void aStackWithoutOurLinesIsRightOnALoginNodeOnly() {
      String none = GOOD_STACK.replaceAll("(?m)^.*pam_rollcall.*\n", "");
      Finding account = one("pam.account", PamChecks.of(stack(none), false));
      assertEquals(State.WARNING, account.state());
      assertTrue(account.remedy().contains("rollcall ca issue login"), account::remedy);
      assertEquals(State.UNSEEN, of("pam.session", none));
      for (Finding finding : PamChecks.of(stack(none), false)) {
        assertFalse(finding.remedy().startsWith("add "), finding.toString());
      }
      assertEquals(State.GOOD, ChecksTest.of("pam.account", PamChecks.of(stack(none), true)));
    }

    @Test
    void oneLineWithoutTheOtherIsBad() {
      String noAccount = GOOD_STACK.replaceAll("(?m)^account.*pam_rollcall.*\n", "");
      assertEquals(State.BAD, of("pam.account", noAccount));
      String noSession = GOOD_STACK.replaceAll("(?m)^session.*pam_rollcall.*\n", "");
      assertEquals(State.BAD, of("pam.session", noSession));
    }

    @Test
    void withoutOurLinesTheirPositionsAreNotLookedAt() {
      String none = GOOD_STACK.replaceAll("(?m)^.*pam_rollcall.*\n", "");
      assertEquals(State.UNSEEN, of("pam.options", none));
      assertEquals(State.UNSEEN, of("pam.account.before", none));
      assertEquals(State.UNSEEN, of("pam.session.after", none));
    }

    @Test
    void anOptionalLineRefusesNobody() {
      assertEquals(
          State.WARNING,
          of(
              "pam.account",
              GOOD_STACK.replace("account    required     pam_r", "account optional pam_r")));
    }

    @Test
    void pamSystemdBehindOursMovesSessionsAway() {
      String swapped =
          GOOD_STACK.replace("@include common-session\n", "") + "@include common-session\n";
      assertEquals(State.BAD, of("pam.session.after", swapped));
      assertEquals(
          State.WARNING, of("pam.session.after", GOOD_STACK + "session required pam_env.so\n"));
    }

    @Test
    void aSufficientLineBeforeOursEndsTheStack() {
      String before = "account sufficient pam_localuser.so\n" + GOOD_STACK;
      assertEquals(State.WARNING, of("pam.account.before", before));
      assertEquals(
          State.GOOD, of("pam.account.before", before.replace("pam_localuser", "pam_access")));
    }

    @Test
    void aSufficientLineBeforeOurSessionLineIsBad() {
      String before =
          GOOD_STACK.replace("@include common-session\n", "session sufficient pam_x.so\n");
      assertEquals(State.BAD, of("pam.session.before", before));
      assertEquals(
          State.GOOD, of("pam.session.before", before.replace("pam_x.so", "pam_succeed_if.so")));
    }

    @Test
    void aJumpOverOurLineIsFoundByItsDistance() {
      for (String control : List.of("[success=1 default=ignore]", "[default=1]", "[success=9]")) {
        String jump =
            GOOD_STACK.replace("@include common-account", "account " + control + " pam_x.so");
        assertEquals(State.WARNING, of("pam.account.before", jump), control);
      }
      for (String control :
          List.of("[success=1 default=9]", "[success=ok default=1]", "required")) {
        String none =
            GOOD_STACK.replace(
                "@include common-account",
                "account " + control + " pam_x.so\naccount required pam_y.so");
        assertEquals(State.GOOD, of("pam.account.before", none), control);
      }
    }

    @Test
    void caseContinuationAndBracketsAreReadAsLibpamReadsThem() {
      String other =
          """
          # a comment continues nothing \\
          Account  Required   pam_rollcall.so [action_unknown=newest] # \\
          -SESSION [Success=Done] \\
             pam_x.so
          session  Required \\ \t
             pam_rollcall.so action_unknown=newest
          """;
      assertEquals(State.GOOD, of("pam.account", other));
      assertEquals(State.GOOD, of("pam.session", other));
      assertEquals(State.GOOD, of("pam.options", other));
      assertEquals(State.BAD, of("pam.session.before", other));
      assertEquals(
          List.of("pam_unix.so"),
          stack("@INCLUDE common-auth\n").stream().map(PamLine::module).toList());
    }

    @Test
    void otherOptionsOnTheOtherLineAreTold() {
      assertEquals(
          State.WARNING, of("pam.options", GOOD_STACK.stripTrailing() + " action_unknown=deny\n"));
    }

    @Test
    void slurmsModuleBesideOursIsBad() {
      assertEquals(
          State.BAD, of("pam.slurm_adopt", GOOD_STACK + "account required pam_slurm_adopt.so\n"));
    }
  }

  @Nested
  class Sshd {
    private static final List<String> GOOD = List.of("port 22", "usepam yes", "usedns no");

    private static State of(String id, String key, String value) {
      List<String> settings = new ArrayList<>(GOOD);
      settings.replaceAll(line -> line.startsWith(key + " ") ? key + " " + value : line);
      return ChecksTest.of(id, SshdChecks.of(settings, stack(GOOD_STACK), false));
    }

    @Test
    void itsDefaultsWithPamAreGood() {
      for (Finding finding : SshdChecks.of(GOOD, stack(GOOD_STACK), false)) {
        assertEquals(State.GOOD, finding.state(), finding.toString());
      }
    }

    @Test
    void withoutPamNobodyIsAsked() {
      assertEquals(State.BAD, of("sshd.usepam", "usepam", "no"));
      assertEquals(State.WARNING, of("sshd.usedns", "usedns", "yes"));
    }

    @Test
    void aLoginThatTheAgentForgetsIsTold() {
      for (String grace : List.of("120", "10", "0")) {
        Finding finding = SshdChecks.grace(List.of("logingracetime " + grace), 120);
        assertEquals(State.GOOD, finding.state(), finding.toString());
      }
      Finding longer = SshdChecks.grace(List.of("logingracetime 300"), 120);
      assertEquals(State.WARNING, longer.state());
      assertEquals("set 'login_grace_seconds: 300' in agent.yaml", longer.remedy());
      assertEquals(State.UNSEEN, SshdChecks.grace(GOOD, 120).state());
    }

    /** As sshd -T of OpenSSH 10.0 prints it. */
    @Test
    void penaltiesThatLockOutALoginNodeAreTold() {
      String on =
          "persourcepenalties crash:90 authfail:5 noauth:1 grace-exceeded:10 refuseconnection:10"
              + " max:600 min:15 max-sources4:65536 max-sources6:65536 overflow:permissive"
              + " overflow6:permissive";
      String none = "persourcepenaltyexemptlist none";
      assertEquals(State.WARNING, penalties(GOOD_STACK, on, none));
      assertEquals(State.WARNING, penalties(GOOD_STACK, on.replace(":5 ", ":0.5 "), none));
      assertEquals(State.GOOD, penalties(GOOD_STACK, on.replace(":5 ", ":0 "), none));
      assertEquals(State.GOOD, penalties(GOOD_STACK, "persourcepenalties no", none));
      assertEquals(State.GOOD, penalties(GOOD_STACK, on, "persourcepenaltyexemptlist 10.0.0.0/8"));
      assertEquals(State.GOOD, penalties("account required pam_unix.so\n", on, none));
      assertEquals(State.GOOD, penalties(GOOD_STACK));
    }

    private static State penalties(String stack, String... settings) {
      return ChecksTest.of("sshd.penalties", SshdChecks.of(List.of(settings), stack(stack), false));
    }

    @Test
    void aPortThatTheModuleDoesNotKnowIsTold() {
      assertEquals(State.WARNING, of("sshd.port", "port", "2222"));
      String known =
          GOOD_STACK.replaceAll("(?m)(account|session)(.*pam_rollcall.so)", "$1$2 port=22,2222");
      assertEquals(
          State.GOOD,
          ChecksTest.of("sshd.port", SshdChecks.of(List.of("port 2222"), stack(known), false)));
    }
  }

  @Nested
  class Matches {
    private static Finding match(String stack, boolean byForceCommand, String... settings) {
      var seen = new MatchSeen("f line 3", "User alice", new Seen.Got<>(List.of(settings)));
      return SshdChecks.match(seen, stack(stack), byForceCommand);
    }

    @Test
    void aBlockThatChangesNothingThatMattersIsGood() {
      Finding finding = match(GOOD_STACK, false, "kbdinteractiveauthentication no");
      assertEquals(State.GOOD, finding.state());
      assertTrue(finding.says().startsWith("Match User alice (f line 3)"), finding.says());
    }

    @Test
    void aPamServiceThatTheModuleDoesNotServeHoldsNobody() {
      assertEquals(State.BAD, match(GOOD_STACK, false, "pamservicename sshd-admin").state());
      assertEquals(State.GOOD, match(GOOD_STACK, false, "pamservicename sshd").state());
      String any =
          GOOD_STACK.replaceAll("(?m)(account|session)(.*pam_rollcall.so)", "$1$2 service=*");
      assertEquals(State.GOOD, match(any, false, "pamservicename sshd-admin").state());
    }

    @Test
    void whereNobodyCanBeAskedChoosingIsInVain() {
      String choose =
          GOOD_STACK.replaceAll("(?m)(account|session)(.*pam_rollcall.so)", "$1$2 choose=1");
      String on = "kbdinteractiveauthentication yes";
      assertEquals(State.GOOD, match(choose, false, on, "authenticationmethods any").state());
      assertEquals(
          State.GOOD,
          match(choose, false, on, "authenticationmethods publickey,keyboard-interactive").state());
      assertEquals(
          State.WARNING, match(choose, false, on, "authenticationmethods publickey").state());
      assertEquals(State.WARNING, match(choose, false, "kbdinteractiveauthentication no").state());
    }

    @Test
    void anotherForceCommandLeavesSessionsOutsideTheirContainer() {
      assertEquals(
          State.GOOD,
          match(
                  GOOD_STACK,
                  true,
                  "forcecommand /opt/rollcall/lib/container/rollcall-enter --session")
              .state());
      assertEquals(State.BAD, match(GOOD_STACK, true, "forcecommand internal-sftp").state());
      assertEquals(State.GOOD, match(GOOD_STACK, false, "forcecommand internal-sftp").state());
    }

    @Test
    void whereTheSiteWantsTasksContainersUsersCanChooseAnother() {
      String task = "forcecommand /opt/rollcall/lib/container/rollcall-enter --session --task any";
      Finding without = match(GOOD_STACK, false, task, "acceptenv LANG", "acceptenv LC_*");
      assertEquals(State.WARNING, without.state());
      assertTrue(
          without.says().contains("AcceptEnv lacks ROLLCALL_TASK_CONTAINER"), without.says());
      for (String accepted : List.of("ROLLCALL_TASK_CONTAINER", "LANG ROLLCALL_*", "*_TASK_C?*")) {
        assertEquals(
            State.GOOD, match(GOOD_STACK, false, task, "acceptenv " + accepted).state(), accepted);
      }
      assertEquals(
          State.GOOD,
          match(
                  GOOD_STACK,
                  false,
                  "forcecommand /opt/rollcall/lib/container/rollcall-enter --session")
              .state());
    }

    @Test
    void aBlockOfWhichThereIsNoExampleIsNotLookedAt() {
      var seen = new MatchSeen("f line 3", "Group x", new Seen.Not<>("no member of group x"));
      Finding finding = SshdChecks.match(seen, stack(GOOD_STACK), false);
      assertEquals(State.UNSEEN, finding.state());
      assertEquals("Match Group x (f line 3): no member of group x", finding.says());
    }
  }

  @Nested
  class Systemd {
    @Test
    void sharedMemoryThatLogindRemovesIsBadWhereSessionsRegister() {
      List<PamLine> registering = stack(GOOD_STACK);
      assertEquals(State.BAD, SystemdChecks.removeIpc("b true\n", registering).state());
      assertEquals(State.GOOD, SystemdChecks.removeIpc("b false\n", registering).state());
      List<PamLine> none = stack("session required pam_rollcall.so\n");
      assertEquals(State.GOOD, SystemdChecks.removeIpc("b true\n", none).state());
    }

    @Test
    void anOomScoreOfSshdIsTold() {
      assertEquals(
          State.GOOD,
          SystemdChecks.oomScore(List.of("OOMScoreAdjust=0", "", "OOMScoreAdjust=0")).state());
      Finding finding =
          SystemdChecks.oomScore(List.of("OOMScoreAdjust=0", "", "OOMScoreAdjust=-1000"));
      assertEquals(State.WARNING, finding.state());
      assertTrue(finding.says().startsWith("OOMScoreAdjust=-1000 "), finding.says());
    }
  }

  @Nested
  class Cgroups {
    private static final String V2 = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0";
    private static final String V1 = "cgroup /sys/fs/cgroup/freezer cgroup rw,freezer 0 0";
    private static final Seen<String> ALL = new Seen.Got<>("cpuset cpu io memory hugetlb pids\n");

    @Test
    void v2WithItsControllersIsGood() {
      for (Finding finding : CgroupChecks.of(List.of(V2), ALL)) {
        assertEquals(State.GOOD, finding.state(), finding.toString());
      }
      assertTrue(
          one("cgroup.layout", CgroupChecks.of(List.of(V1, V2), ALL)).says().contains("hybrid"));
    }

    @Test
    void v1AndNoneAreTold() {
      assertEquals(State.WARNING, of("cgroup.layout", CgroupChecks.of(List.of(V1), ALL)));
      assertEquals(State.BAD, of("cgroup.layout", CgroupChecks.of(List.of(), ALL)));
    }

    @Test
    void whatCannotBeLimitedIsNamed() {
      Finding finding =
          one("cgroup.controllers", CgroupChecks.of(List.of(V2), new Seen.Got<>("cpu memory\n")));
      assertEquals(State.WARNING, finding.state());
      assertTrue(finding.says().contains("cpuset, io, pids"), finding.says());
    }
  }

  @Nested
  class Agent {
    private static AgentSeen report(boolean ready, String stages) {
      return NodeReader.agent(
          new JsonObject("{\"ready\":" + ready + ",\"stages\":[" + stages + "]}"));
    }

    private static String stage(String name, boolean well, String detail) {
      return "{\"stage\":\"%s\",\"well\":%s,\"needed\":true,\"detail\":\"%s\"}"
          .formatted(name, well, detail);
    }

    @Test
    void oneThatIsReadyAndConnectedIsGood() {
      AgentSeen agent =
          report(
              true,
              stage("watch", true, "calls by sock_ops")
                  + ","
                  + stage("gateway", true, "connected to gateway gate1:7450"));
      for (Finding finding : AgentChecks.of(agent)) {
        assertEquals(State.GOOD, finding.state(), finding.toString());
      }
    }

    @Test
    void aLoginNodeIsToldByTheAgentsConnection() {
      assertTrue(
          report(true, stage("gateway", true, "connected to gateway g:1 as a login node")).login());
      assertFalse(report(true, stage("gateway", true, "connected to gateway g:1")).login());
      assertFalse(report(true, "").login());
    }

    @Test
    void whatIsNotWellIsTold() {
      AgentSeen agent =
          report(
              false,
              stage("watch", true, "calls by sock_diag")
                  + ","
                  + stage("gateway", false, "gateway gate1:7450 is unreachable")
                  + ","
                  + stage("login-socket", false, "has not started yet"));
      List<Finding> findings = AgentChecks.of(agent);
      assertEquals(State.BAD, of("agent.ready", findings));
      assertEquals(State.WARNING, of("bpf.calls", findings));
      assertEquals(State.BAD, of("gateway.connection", findings));
      assertEquals(State.WARNING, of("agent.stage.login-socket", findings));
    }

    @Test
    void whatIsNotToldIsNotClaimed() {
      List<Finding> findings = AgentChecks.of(report(true, ""));
      assertEquals(State.UNSEEN, of("bpf.calls", findings));
      assertEquals(State.UNSEEN, of("gateway.connection", findings));
    }

    @Test
    void aClockBehindTheGatewaysIsTold() {
      assertEquals(
          State.WARNING, AgentChecks.clock(new Seen.Got<>(NOW.plusSeconds(3)), NOW).state());
      assertEquals(State.GOOD, AgentChecks.clock(new Seen.Got<>(NOW.minusSeconds(3)), NOW).state());
      assertEquals(State.UNSEEN, AgentChecks.clock(new Seen.Not<>("no"), NOW).state());
    }

    private static State module(String version, Seen<Optional<String>> agent) {
      Optional<String> told = version.isEmpty() ? Optional.empty() : Optional.of(version);
      var seen =
          new ModuleSeen(
              Path.of("/lib/security/pam_rollcall.so"), true, told, Optional.of("x86_64"));
      return AgentChecks.module(new Seen.Got<>(seen), "1.0.0", agent).state();
    }

    @Test
    void aModuleOfAnotherVersionIsTold() {
      Seen<Optional<String>> unknown = new Seen.Not<>("no gateway");
      assertEquals(State.GOOD, module("0.9.0", new Seen.Got<>(Optional.of("0.9.0"))));
      assertEquals(State.WARNING, module("0.9.0", new Seen.Got<>(Optional.of("1.0.0"))));
      assertEquals(State.BAD, module("", new Seen.Got<>(Optional.of("1.0.0"))));
      // The command's stands for the agent's where nobody tells that.
      assertEquals(State.GOOD, module("1.0.0", unknown));
      assertEquals(State.GOOD, module("1.0.0", new Seen.Got<>(Optional.empty())));
      assertEquals(State.WARNING, module("0.9.0", unknown));
      assertEquals(
          State.UNSEEN, AgentChecks.module(new Seen.Not<>("no"), "1.0.0", unknown).state());
    }

    private static Finding loadable(boolean isThere, String architecture) {
      var seen =
          new ModuleSeen(
              Path.of("/lib/security/pam_rollcall.so"),
              isThere,
              Optional.empty(),
              Optional.of(architecture).filter(each -> !each.isEmpty()));
      return AgentChecks.loadable(new Seen.Got<>(seen), "amd64");
    }

    @Test
    void aModuleThatSshdCannotLoadIsBad() {
      assertEquals(State.GOOD, loadable(true, "x86_64").state());
      assertEquals(State.UNSEEN, AgentChecks.loadable(new Seen.Not<>("no"), "amd64").state());
      for (Finding finding :
          List.of(loadable(true, "aarch64"), loadable(true, ""), loadable(false, ""))) {
        assertEquals(State.BAD, finding.state(), finding.toString());
      }
      assertEquals(
          "/lib/security/pam_rollcall.so is for aarch64, and this machine is x86_64: sshd cannot"
              + " load it, and refuses every login, root's too",
          loadable(true, "aarch64").says());
      assertTrue(loadable(true, "").says().contains("is no library"));
      assertTrue(loadable(false, "").says().startsWith("there is no /lib"));
    }

    @Test
    void versionsThatDifferAreTold() {
      assertEquals(
          State.GOOD, AgentChecks.version("1.0.0", new Seen.Got<>(Optional.of("1.0.0"))).state());
      assertEquals(
          State.WARNING,
          AgentChecks.version("1.0.0", new Seen.Got<>(Optional.of("0.9.0"))).state());
      assertEquals(
          State.UNSEEN, AgentChecks.version("1.0.0", new Seen.Got<>(Optional.empty())).state());
    }
  }

  @Nested
  class FilesOfTheNode {
    private static final Path PATH = Path.of("/run/rollcall/login.sock");

    @Test
    void aSocketIsRootsAndHasItsMode() {
      assertEquals(State.GOOD, socket(new FileSeen.There(PATH, 0, 0600)));
      assertEquals(State.BAD, socket(new FileSeen.There(PATH, 1001, 0600)));
      assertEquals(State.BAD, socket(new FileSeen.There(PATH, 0, 0666)));
      assertEquals(State.BAD, socket(new FileSeen.Missing(PATH)));
      assertEquals(State.UNSEEN, socket(new FileSeen.Unreadable(PATH, "Permission denied")));
    }

    private static State socket(FileSeen seen) {
      return FileChecks.socket("socket.login", seen, 0600).state();
    }

    @Test
    void aKeyIsRootsAlone() {
      assertEquals(
          State.GOOD, FileChecks.key("tls.key", new FileSeen.There(PATH, 0, 0400)).state());
      assertEquals(State.BAD, FileChecks.key("tls.key", new FileSeen.There(PATH, 0, 0640)).state());
      assertEquals(State.BAD, FileChecks.key("tls.key", new FileSeen.There(PATH, 7, 0600)).state());
    }

    @Test
    void aCertificateIsNeitherExpiredNorAboutTo() {
      assertEquals(State.GOOD, certificate(60));
      assertEquals(State.WARNING, certificate(5));
      assertEquals(State.BAD, certificate(-1));
      assertEquals(
          State.BAD, FileChecks.certificate("tls.ca", new FileSeen.Missing(PATH), NOW).state());
    }

    private static State certificate(int days) {
      var seen = new FileSeen.Certificate(PATH, NOW.plusSeconds(86_400L * days));
      return FileChecks.certificate("tls.ca", seen, NOW).state();
    }
  }

  @Test
  void lingeringUsersAreNamedUnlessTheirProgramsAreContained() {
    assertEquals(State.GOOD, LingerCheck.of(List.of("root"), "report").state());
    assertEquals(State.GOOD, LingerCheck.of(List.of("alice"), "adopt").state());
    Finding finding = LingerCheck.of(List.of("bob", "alice"), "report");
    assertEquals(State.WARNING, finding.state());
    assertTrue(finding.says().contains("alice, bob"), finding.says());
  }

  @Test
  void whereNobodyCouldLookNothingIsClaimed() {
    var no = new Seen.Not<List<String>>("no");
    var none = new FileSeen.Unreadable(Path.of("/none"), "x");
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        new Seen.Not<List<PamLine>>("p").findings("pam", stack -> PamChecks.of(stack, false)));
    findings.addAll(no.findings("sshd", lines -> SshdChecks.of(lines, List.of(), false)));
    findings.add(SshdChecks.match(new MatchSeen("f", "User x", no), List.of(), false));
    findings.addAll(no.findings("cgroup", lines -> CgroupChecks.of(lines, new Seen.Not<>("c"))));
    findings.add(FileChecks.socket("socket.login", none, 0600));
    findings.add(FileChecks.key("tls.key", none));
    findings.add(FileChecks.certificate("tls.ca", none, NOW));
    findings.addAll(new Seen.Not<AgentSeen>("a").findings("agent", AgentChecks::of));
    findings.add(AgentChecks.clock(new Seen.Not<>("h"), NOW));
    findings.add(AgentChecks.version("1.0.0", new Seen.Not<>("v")));
    findings.add(AgentChecks.module(new Seen.Not<>("pv"), "1.0.0", new Seen.Not<>("v")));
    findings.add(AgentChecks.loadable(new Seen.Not<>("pv"), "amd64"));
    assertFalse(findings.isEmpty());
    for (Finding finding : findings) {
      assertEquals(State.UNSEEN, finding.state(), finding.toString());
      assertFalse(finding.says().isEmpty());
    }
  }

  @Test
  void aFindingThatIsNotGoodHasARemedy() {
    List<Finding> all = new ArrayList<>(PamChecks.of(List.of(), false));
    all.addAll(SshdChecks.of(List.of("usedns yes", "port 7"), stack(GOOD_STACK), true));
    all.addAll(CgroupChecks.of(List.of(), new Seen.Not<>("")));
    for (Finding finding : all) {
      boolean wrong = finding.state() == State.WARNING || finding.state() == State.BAD;
      assertEquals(wrong, !finding.remedy().isEmpty(), finding.toString());
    }
  }
}
