package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a session has of the same job with either module: the table of
 * docs/migrating-from-pam_slurm_adopt.md.
 */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class ModulesComparedSlurmTest {
  private static final Path PAGE =
      SourceTree.ROOT.resolve("docs/migrating-from-pam_slurm_adopt.md");
  private static final String STACK = "/etc/pam.d/sshd";

  /** Each line of its output is a row, "NAME|VALUE". */
  private static final String FACTS =
      """
      row() { echo "$1|$2"; }
      set_to() { printenv "$1" >/dev/null && echo "\\`$(printenv "$1")\\`" || echo no; }
      row 'cgroup' "$(grep -o 'step_extern' /proc/self/cgroup | sort -u)"
      for try in 1 2 3 4 5 6 7 8 9 10; do
        listed=$(scontrol listpids "$SLURM_JOB_ID" "$(hostname -s)" | grep -cw "^$$")
        [ "$listed" = 0 ] && sleep 1 || break
      done
      row 'in `scontrol listpids`' "$([ "$listed" = 1 ] && echo yes || echo no)"
      row 'GPUs that open (2 of 4 are the job'"'"'s)' \
        "$(for n in 0 1 2 3; do cat GPU$n 2>&1; done | grep -c 'No such device')"
      row 'groups' "$(id -Gn)"
      row '`SLURM_JOB_ID`' "$(printenv SLURM_JOB_ID | grep -cx JOB | sed 's/1/the job/')"
      for name in SLURM_JOB_NODELIST SLURM_JOB_PARTITION SLURM_JOB_USER SLURM_CLUSTER_NAME SLURMD_NODENAME \
        SLURM_SUBMIT_DIR SLURM_JOB_GPUS CUDA_VISIBLE_DEVICES TMPDIR SLURM_JOBID SLURM_JOB_NAME SLURM_NTASKS \
        SLURM_NNODES SLURM_CPUS_PER_TASK SLURM_MEM_PER_NODE SLURM_PROCID SLURM_STEP_ID; do
        row "\\`$name\\`" "$(set_to "$name")"
      done
      row '`srun --overlap`: tasks' "$(srun --overlap --mem=10 hostname -s 2>&1 | wc -l)"
      row '`sbatch --mem-per-cpu`, and `srun` in it' \
        "$(cd /tmp && sbatch -W -Q -n1 -w node2 --mem-per-cpu=20 -o /dev/null --wrap 'srun true' >/dev/null 2>&1 && echo works || echo fails)"
      row '`mpirun -np 2` of OpenMPI: processes' "$(PRTE_MCA_ras=^slurm mpirun.openmpi --oversubscribe -np 2 echo it 2>&1 | grep -cx it)"
      row '`mpiexec -n 2` of MPICH: processes' "$(mpiexec.hydra -n 2 echo it 2>&1 | grep -cx it)"
      """;

  @Test
  void thePageHasWhatASessionHasWithEither(SlurmStage shared) throws IOException {
    TestCluster cluster = shared.cluster();
    ClusterNode login = cluster.node(NodeAddress.LOGIN);
    ClusterNode node2 = cluster.node(NodeAddress.NODE2);
    String stack = Files.readString(node2.file(STACK));
    long job =
        shared
            .jobs()
            .submit(
                User.ALICE,
                List.of(node2),
                "--gres=gpu:2",
                "--ntasks=2",
                "--cpus-per-task=2",
                "--mem=300");
    try {
      Map<String, String> rollcalls = facts(login, job);
      Files.writeString(
          node2.file(STACK),
          """
          auth     required   pam_unix.so
          account  required   pam_unix.so
          account  required   pam_slurm_adopt.so
          session  required   pam_unix.so
          """);
      Map<String, String> slurms = facts(login, job);
      var table =
          new StringBuilder("| a session has | pam_slurm_adopt | pam_rollcall |\n|---|---|---|\n");
      slurms.forEach((name, value) ->
          table.append("| %s | %s | %s |%n".formatted(name, value, rollcalls.get(name))));
      assertEquals(slurms.keySet(), rollcalls.keySet());
      assertTrue(Files.readString(PAGE).contains(table), () -> PAGE + " lacks\n" + table);
    } finally {
      Files.writeString(node2.file(STACK), stack);
      shared.jobs().cancel(List.of(job));
    }
  }

  private static SequencedMap<String, String> facts(ClusterNode login, long job) {
    String script = FACTS.replace("GPU$n", SlurmSetup.GPU + "$n").replace("JOB |", job + " |");
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    login
        .exec(User.ALICE, "ssh", "node2", script)
        .outOrThrow("ssh")
        .lines()
        .filter(line -> line.contains("|"))
        .forEach(line -> {
          String[] fact = line.split("\\|", 2);
          facts.put(fact[0], fact[1].isEmpty() ? "no" : fact[1]);
        });
    return facts;
  }
}
