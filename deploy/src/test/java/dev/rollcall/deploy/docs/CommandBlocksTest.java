package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.docs.CodeBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each block of commands in the pages is run by a test, or has a reason why none runs it. */
class CommandBlocksTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));

  /** A block of a page, by the start of its first line, and the test that runs it. */
  private record Run(String page, String start, String test) {}

  /** A block of a page that no test runs. */
  private record NotRun(String page, String start, String reason) {}

  private static final List<Run> RUN =
      List.of(
          new Run("api.md", "gateway=https:", "ApiPageTest"),
          new Run("audit.md", "zcat -f", "AuditTest"),
          new Run("api.md", "curl --cacert ca.pem --header", "ApiPageTest"),
          new Run("api.md", "curl $certificate \"$gateway/v1/processes:identify", "ApiPageTest"),
          new Run("services.md", "ends=", "ApiPageTest"),
          new Run("services.md", "rollcall ca issue service", "CertificatesPageTest"),
          new Run("services.md", "$ python3 who.py", "ServicesPageTest"),
          new Run("cli.md", "rollcall ca init", "CertificatesPageTest"),
          new Run("cli.md", "rollcall ca issue node 'n[", "CertificatesPageTest"),
          new Run("console.md", "rollcall ca issue administrator", "CertificatesPageTest"),
          new Run("diskless.md", "n0001# rollcall ca request", "CertificatesPageTest"),
          new Run("diskless.md", "ca# rollcall ca issue", "CertificatesPageTest"),
          new Run("install.md", "rollcall ca init", "CertificatesPageTest"),
          new Run("operations.md", "n001# rollcall ca request", "CertificatesPageTest"),
          new Run("install.md", "apt install ./rollcall_*", "InstallPageTest"),
          new Run("install.md", "apt install ./rollcall-runtime_*", "InstallPageTest"),
          new Run("install.md", "dnf install", "InstallPageTest"),
          new Run("install.md", "install -d /etc/apt/keyrings", "AptRepositoryTest"),
          new Run("install.md", "[rollcall]", "DnfRepositoryTest"),
          new Run("install.md", "ansible-playbook -i inventory.yml site.yml", "AnsibleTest"),
          new Run("install.md", "ansible-playbook -i inventory.yml -e", "AnsibleTest"),
          new Run("install.md", "ansible-playbook -i inventory.yml rollback.yml", "AnsibleTest"),
          new Run("install.md", "sed -i -e", "StacksWithoutRollcallTest"),
          new Run("install.md", "apt install selinux-policy-dev", "SelinuxMachineTest"),
          new Run("install.md", "semanage fcontext", "SelinuxMachineTest"),
          new Run("install.md", "echo 'include", "AppArmorMachineTest"),
          new Run("lab.md", "./rollcall demo --slurm", "NewUserTest"),
          new Run("metrics.md", "file=", "MonitoringPageTest"),
          new Run("metrics.md", "sed -i", "MonitoringPageTest"),
          new Run("metrics.md", "install -d", "MonitoringPageTest"),
          new Run("migrating-from-pam_slurm_adopt.md", "account    optional", "MigrationSlurmTest"),
          new Run("migrating-from-pam_slurm_adopt.md", "jq -r", "OperationsCommandsTest"),
          new Run("operations.md", "jq -c", "OperationsCommandsTest"),
          new Run("operations.md", "umask 077", "OperationsCommandsTest"),
          new Run("operations.md", "sed -i", "OperationsCommandsTest"),
          new Run("operations.md", "* || check_rollcall_clean", "NhcCheckTest"),
          new Run("other-batch-systems.md", "# condor_config", "HtcondorHooksTest"),
          new Run("other-batch-systems.md", "# qconf", "GridEngineHooksTest"),
          new Run("other-batch-systems.md", "#!/bin/sh -p", "OtherBatchSystemsPageTest"),
          new Run("pam.md", "account    sufficient   pam_access.so", "StacksClusterTest"),
          new Run("pam.md", "account    sufficient   pam_rollcall.so", "StacksClusterTest"),
          new Run("containers.md", "#!/bin/sh", "UserMapsTest"),
          new Run("containers.md", "Subsystem sftp", "UserNamespacesClusterTest"),
          new Run("README.md", "./rollcall demo", "NewUserTest"));

  private static final String ANSWER = "an answer, not a command";
  private static final String STACK = "a stack of another system; DistributionStacksTest has it";
  private static final String DRAWING = "a drawing";
  private static final String EARLIER = "there is no earlier version yet";
  private static final String BENCH = "takes minutes of a quiet machine; BenchCommandTest";

  private static final List<NotRun> NOT_RUN =
      List.of(
          new NotRun("accounting.md", "NODE ", ANSWER),
          new NotRun("accounting.md", "rollcall: the kernel killed", ANSWER),
          new NotRun("accounting.md", "$ rollcall accounts --kind", "AccountsCommandTest"),
          new NotRun(
              "accounting.md", "$ rollcall accounts usage", "sqlite3 is no tool of the build"),
          new NotRun("api.md", "curl $certificate --no-buffer", "UsageWatchTest watches a job"),
          new NotRun("api.md", "grpcurl", "Debian 12 has no grpcurl; the page says so"),
          new NotRun("architecture.md", "node A", DRAWING),
          new NotRun("architecture.md", "model ", DRAWING),
          new NotRun("cli.md", "KEY ", ANSWER),
          new NotRun(
              "cli.md", "# ~/.ssh/config", "a file; SessionCommandsClusterTest logs in by it"),
          new NotRun("configuration.md", "account    required", "lines of PAM with defaults"),
          new NotRun("containers.md", "$ rollcall config check", "ContainersPageTest has its file"),
          new NotRun("diskless.md", "cluster: alps", "a file; AgentConfigTest reads the like"),
          new NotRun("diskless.md", "ca# for node", "ssh to nodes without disks"),
          new NotRun("install.md", "# rollcall job begin", "QuickStartTest types the like"),
          new NotRun(
              "install.md", "gpg --quick-generate-key", "AptRepositoryTest makes such a key"),
          new NotRun("install.md", "./rollcall package --repository", "builds; AptRepositoryTest"),
          new NotRun("install.md", "./rollcall image", "ImagesTest; there is no registry here"),
          new NotRun("install.md", "account    substack", STACK),
          new NotRun("job-metrics.md", "sum by (user)", "PrometheusClusterTest asks for the like"),
          new NotRun(
              "job-metrics.md",
              "sum by (job) (",
              "joins series of GPUs, which the test machines lack"),
          new NotRun("lab.md", "campus ", DRAWING),
          new NotRun("login-socket-protocol.md", "+---", DRAWING),
          new NotRun("metrics.md", "rollcall_adopt_sessions_time", ANSWER),
          new NotRun("metrics.md", "cd /var/lib/prometheus", "there is no node_exporter here"),
          new NotRun(
              "migrating-from-pam_slurm_adopt.md", "# slurm.conf", "its own tests run the hooks"),
          new NotRun("migrating-from-pam_slurm_adopt.md", "account    required     pam_sep", STACK),
          new NotRun("migrating-from-pam_slurm_adopt.md", "account    substack", STACK),
          new NotRun(
              "operations.md",
              "/opt/rollcall/bin/rollcall job end",
              "the node clean command's own tests"),
          new NotRun("operations.md", "ipcrm", "removes an object of this machine"),
          new NotRun("pam.md", "session optional pam_keyinit.so", STACK),
          new NotRun("operations.md", "/sys/fs/cgroup/", DRAWING),
          new NotRun("operations.md", "apt-get install --allow-downgrades", EARLIER),
          new NotRun("operations.md", "dnf downgrade", EARLIER),
          new NotRun("operations.md", "handlers = ", "a file of java.util.logging"),
          new NotRun("operations.md", "ROLLCALL_AGENT_OPTS", "a line of /etc/default"),
          new NotRun("operations.md", "journalctl", "reads a journal; nothing to compare"),
          new NotRun("operations.md", "java --enable-native-access", "needs a busy machine"),
          new NotRun("other-batch-systems.md", "# qmgr", "there is no OpenPBS here"),
          new NotRun("other-batch-systems.md", "# lsb.queues", "there is no LSF here"),
          new NotRun("other-batch-systems.md", "# imp.toml", "there is no Flux here"),
          new NotRun("pam.md", "# /etc/pam.d/sshd", "QuickStartTest types these lines"),
          new NotRun(
              "pam.md",
              "# /etc/systemd/logind.conf.d",
              "a file of logind; ChecksTest has the finding"),
          new NotRun("pam.md", "PerSourcePenaltyExemptList", "needs OpenSSH 9.8"),
          new NotRun("pam.md", "Access denied", ANSWER),
          new NotRun("pam.md", "rollcall: this session", ANSWER),
          new NotRun("pam.md", "account    optional", "two lines that refuse no user"),
          new NotRun("pam.md", "(alice@node2)", ANSWER),
          new NotRun("performance.md", "./rollcall bench", BENCH),
          new NotRun("reliability.md", "./mvnw", "runs a test of this list"),
          new NotRun("roll.md", "--add-modules", "flags of a JVM, which the launcher has"),
          new NotRun("users.md", "Host job-*", "a file; SessionCommandsClusterTest logs in by it"),
          new NotRun("README.md", "ok      two-jobs-caller", ANSWER),
          new NotRun("README.md", "# rollcall whois", "examples with other nodes' addresses"),
          new NotRun(
              "deploy/helm/rollcall/README.md",
              "./rollcall image",
              "ImagesTest; there is no registry here"),
          new NotRun(
              "deploy/helm/rollcall/README.md",
              "sed 's|/var/log/rollcall/",
              "LogrotateTest's file"),
          new NotRun("deploy/helm/rollcall/README.md", "useradd", "LogrotateTest has the file"),
          new NotRun(
              "deploy/helm/rollcall/README.md", "helm install", "needs a cluster; ChartTest"));

  /** QuickStartTest types a whole page. */
  private static final String TYPED_WHOLE = "quick-start.md";

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
      return Stream.concat(
              docs.filter(page -> page.toString().endsWith(".md")),
              Stream.of(HOME.resolve("README.md"), HOME.resolve("deploy/helm/rollcall/README.md")))
          .filter(page -> !page.endsWith(TYPED_WHOLE))
          .sorted()
          .toList();
    }
  }

  private static String name(Path page) {
    return HOME.relativize(page).toString().replaceFirst("^docs/", "");
  }

  private static Stream<String> entriesOf(String page) {
    return Stream.concat(
        RUN.stream().filter(one -> one.page().equals(page)).map(Run::start),
        NOT_RUN.stream().filter(one -> one.page().equals(page)).map(NotRun::start));
  }

  @Test
  void eachBlockIsRunOrHasAReason() throws IOException {
    var unknown = new ArrayList<String>();
    var used = new HashSet<String>();
    for (Path page : pages()) {
      for (CodeBlock block : CodeBlock.in(page)) {
        List<String> entries =
            entriesOf(name(page)).filter(block.text().stripLeading()::startsWith).toList();
        entries.forEach(start -> used.add(name(page) + ": " + start));
        if (block.isShell() && entries.size() != 1) {
          unknown.add("%s: %s: %s".formatted(name(page), block.firstLine(), entries));
        }
      }
    }
    assertEquals(List.of(), unknown, "blocks without an entry, or with several");
    Set<String> all =
        Stream.concat(
                RUN.stream().map(one -> one.page() + ": " + one.start()),
                NOT_RUN.stream().map(one -> one.page() + ": " + one.start()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(all, new TreeSet<>(used), "entries without a block");
  }

  @Test
  void eachTestExists() throws IOException {
    TestSources tests = TestSources.read();
    for (Run one : RUN) {
      assertTrue(tests.contain(one.test()), one.toString());
    }
    assertTrue(tests.contain("QuickStartTest"));
  }
}
