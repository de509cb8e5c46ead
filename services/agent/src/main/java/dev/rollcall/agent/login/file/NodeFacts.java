package dev.rollcall.agent.login.file;

import dev.rollcall.proto.login.v1.Ask;
import dev.rollcall.proto.login.v1.Node;
import dev.rollcall.proto.login.v1.Provider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The facts that all login files of the node contain.
 *
 * @param slurmSpool SlurmdSpoolDir; absent: the jobs are Rollcall's own
 * @param deniedHelp with which each refusal ends; empty: nothing is added
 */
public record NodeFacts(
    String bootId, String cluster, String node, Optional<Path> slurmSpool, String deniedHelp) {
  /** The module reads files of this version alone. */
  public static final int VERSION = 1;

  // Each bound of login.options counts a closing zero.
  private static final int CLUSTER = 127;
  private static final int NAME = 255;
  private static final int SPOOL = 1_023;

  /** Bytes of UTF-8 that a help text may have. */
  public static final int DENIED_HELP = 256;

  /**
   * The node's file.
   *
   * @param ask the reason why every login asks the agent, if there is one
   */
  Node file(Ask ask) {
    String spool = slurmSpool.map(Path::toString).orElse("");
    boolean fits = fits(cluster, CLUSTER) && fits(node, NAME) && fits(spool, SPOOL);
    Node.Builder file =
        Node.newBuilder()
            .setVersion(VERSION)
            .setBootId(bootId)
            .setProvider(
                slurmSpool.isPresent() ? Provider.PROVIDER_SLURM : Provider.PROVIDER_ROLLCALL)
            .setKnowsAllJobs(slurmSpool.isEmpty())
            .setComplete(true);
    if (fits) {
      file.setCluster(cluster).setNode(node).setSlurmSpoolDirectory(spool);
    } else {
      file.setAsk(Ask.ASK_OUT_OF_BOUNDS);
    }
    if (fits(deniedHelp, DENIED_HELP)) {
      file.setDeniedHelp(deniedHelp);
    }
    return ask == Ask.ASK_UNSPECIFIED ? file.build() : file.setAsk(ask).build();
  }

  static boolean fits(String text, int bytes) {
    return text.getBytes(StandardCharsets.UTF_8).length <= bytes;
  }
}
