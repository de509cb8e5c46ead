package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Slurm's configuration, munge's key and the scripts that prepare nodes; shared by all nodes. */
final class SlurmFiles {
  private static final int KEY_BYTES = 1024;
  private static final List<String> SCRIPTS = List.of("prepare.sh", "database.sh", "slurmd.sh");

  private final Path directory;

  SlurmFiles(Path cluster) {
    this.directory = cluster.resolve("slurm");
  }

  Path directory() {
    return directory;
  }

  Path script(String name) {
    return directory.resolve(name);
  }

  void write(SlurmSetup setup, ClusterNode head, List<ClusterNode> compute) throws IOException {
    Path etc = Files.createDirectories(directory.resolve("etc"));
    for (String script : SCRIPTS) {
      copy(script);
    }
    key();
    Files.writeString(etc.resolve("slurm.conf"), slurm(setup, head, compute));
    Files.writeString(etc.resolve("cgroup.conf"), cgroup());
    Files.writeString(etc.resolve("gres.conf"), gpus());
    for (Map.Entry<String, String> file : setup.files().entrySet()) {
      Files.writeString(etc.resolve(file.getKey()), file.getValue());
    }
    // Made private and slurm's own by prepare.sh: slurmdbd refuses a file that others can read.
    Files.writeString(directory.resolve("slurmdbd.conf"), database(head));
  }

  private void copy(String script) throws IOException {
    try (InputStream resource = SlurmFiles.class.getResourceAsStream(script)) {
      if (resource == null) {
        throw new RigException("resource " + script + " is missing");
      }
      Files.copy(resource, script(script));
    }
  }

  private void key() throws IOException {
    var bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    Path key = directory.resolve("munge.key");
    var onlyRoot =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Files.createFile(key, onlyRoot);
    Files.write(key, bytes);
  }

  /** See slurm.conf(5). More CPUs than there are: what counts here is jobs, not speed. */
  private static String slurm(SlurmSetup setup, ClusterNode head, List<ClusterNode> compute) {
    String nodes =
        compute.stream()
            .map(node ->
                "NodeName=%s NodeAddr=%s CPUs=64 RealMemory=16000 Gres=gpu:%d State=UNKNOWN"
                    .formatted(node.name(), node.address().v4(), SlurmSetup.GPUS))
            .collect(Collectors.joining("\n"));
    String names = compute.stream().map(ClusterNode::name).collect(Collectors.joining(","));
    return """
    ClusterName=demo
    SlurmctldHost=%1$s(%2$s)
    SlurmUser=slurm
    AuthType=auth/munge
    CredType=cred/munge
    MpiDefault=none
    SwitchType=switch/none
    ProctrackType=proctrack/cgroup
    TaskPlugin=task/cgroup
    PrologFlags=Contain,X11
    JobAcctGatherType=jobacct_gather/cgroup
    JobAcctGatherFrequency=task=1
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageHost=%1$s
    SelectType=select/cons_tres
    SelectTypeParameters=CR_CPU_Memory
    DefMemPerCPU=200
    GresTypes=gpu
    SlurmdParameters=config_overrides
    SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
    ReturnToService=2
    KillWait=2
    MinJobAge=300
    InactiveLimit=0
    StateSaveLocation=/var/lib/slurm/slurmctld
    SlurmdSpoolDir=/var/lib/slurm/slurmd
    SlurmctldPidFile=/run/slurmctld.pid
    SlurmdPidFile=/run/slurmd.pid
    SlurmctldLogFile=/var/log/slurm/slurmctld.log
    SlurmdLogFile=/var/log/slurm/slurmd.log
    %3$s
    %4$s
    PartitionName=main Nodes=%5$s Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
    """
        .formatted(
            head.name(), head.address().v4(), String.join("\n", setup.lines()), nodes, names);
  }

  /** See cgroup.conf(5). No core is pinned: the nodes claim more of them than this machine has. */
  private static String cgroup() {
    return """
    CgroupPlugin=cgroup/v1
    CgroupMountpoint=/sys/fs/cgroup
    ConstrainCores=no
    ConstrainDevices=yes
    ConstrainRAMSpace=yes
    ConstrainSwapSpace=no
    """;
  }

  /** See gres.conf(5). The files are made by prepare.sh, and no driver is behind them. */
  private static String gpus() {
    return "Name=gpu File=%s[0-%d]%n".formatted(SlurmSetup.GPU, SlurmSetup.GPUS - 1);
  }

  private static String database(ClusterNode head) {
    return """
    AuthType=auth/munge
    DbdHost=%s
    SlurmUser=slurm
    StorageType=accounting_storage/mysql
    StorageHost=localhost
    StorageUser=slurm
    StorageLoc=slurm_acct_db
    PidFile=/run/slurm/slurmdbd.pid
    LogFile=/var/log/slurm/slurmdbd.log
    """
        .formatted(head.name());
  }
}
