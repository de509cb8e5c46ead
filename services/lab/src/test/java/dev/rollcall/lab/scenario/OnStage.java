package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one cluster that all of them share; it goes down after the last. */
public final class OnStage implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(OnStage.class);

  private record Raised(TestCluster cluster, AgentLines agents, Stage stage)
      implements AutoCloseable {
    static Raised now() {
      Path home = SourceTree.ROOT;
      var cluster =
          TestCluster.start(
              ClusterSetup.of(home.resolve("deploy/target/rollcall"))
                  // Tests wait for the loss of a node.
                  .withGatewayConfig("lease_seconds: 30"));
      var agents = new AgentLines();
      return new Raised(cluster, agents, Stage.of(cluster, agents));
    }

    @Override
    public void close() {
      agents.close();
      cluster.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Stage.class;
  }

  @Override
  public Stage resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(HERE)
        .computeIfAbsent(Raised.class, _ -> Raised.now(), Raised.class)
        .stage();
  }
}
