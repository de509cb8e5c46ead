package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.PamModule;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the two clusters with a real Slurm that they share: Slurm with its own PAM module,
 * and Slurm with Rollcall. A test leaves no job behind. The clusters go down after the last test.
 */
final class SharedClusters implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(SharedClusters.class);

  /**
   * Slurm with pam_slurm_adopt. A test may close it: the next one gets another.
   *
   * @param before what the machine's own Slurm would have noticed before it was raised
   */
  record SlurmAlone(
      TestCluster cluster,
      SlurmCommandJobs jobs,
      Map<String, List<String>> before,
      AtomicBoolean closed)
      implements AutoCloseable {
    private static SlurmAlone start() {
      Map<String, List<String>> before = MachineSlurm.read();
      var cluster =
          TestCluster.start(
              ClusterSetup.bare()
                  .withPam(new PamModule("pam_slurm_adopt.so", List.of("account")))
                  .withBatchSystem(new Slurm(SlurmSetup.alone())));
      return new SlurmAlone(cluster, new SlurmCommandJobs(cluster), before, new AtomicBoolean());
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        cluster.close();
      }
    }
  }

  /** Slurm with Rollcall, which has the hooks of its distribution. */
  record SlurmStage(Stage stage, SlurmCommandJobs jobs, AgentLines agents)
      implements AutoCloseable {
    static final Path DISTRIBUTION = SourceTree.DISTRIBUTION.toAbsolutePath().normalize();

    private static SlurmStage start() {
      var cluster =
          TestCluster.start(
              ClusterSetup.of(DISTRIBUTION)
                  .withBatchSystem(new Slurm(SlurmSetup.of(DISTRIBUTION)))
                  .withAgentConfig("job_metrics: jobs")
                  .withPamOptions(SlurmSetup.PATIENCE));
      var agents = new AgentLines();
      var jobs = new SlurmCommandJobs(cluster);
      return new SlurmStage(Stage.withSlurm(cluster, agents, jobs), jobs, agents);
    }

    TestCluster cluster() {
      return stage.cluster();
    }

    @Override
    public void close() {
      agents.close();
      stage.cluster().close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SlurmAlone.class || type == SlurmStage.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getRoot().getStore(HERE);
    return parameter.getParameter().getType() == SlurmAlone.class
        ? alone(store)
        : store.computeIfAbsent(SlurmStage.class, _ -> SlurmStage.start(), SlurmStage.class);
  }

  private static SlurmAlone alone(ExtensionContext.Store store) {
    SlurmAlone last = store.get(SlurmAlone.class, SlurmAlone.class);
    if (last != null && last.closed().get()) {
      store.remove(SlurmAlone.class);
    }
    return store.computeIfAbsent(SlurmAlone.class, _ -> SlurmAlone.start(), SlurmAlone.class);
  }
}
