package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import dev.rollcall.jobs.program.SiteProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a site's scripts, as root, with the variables that Slurm gives them and no others of ours.
 *
 * @param node the variable SLURMD_NODENAME
 */
record SiteScripts(String node) {
  private static final System.Logger LOG = System.getLogger(SiteScripts.class.getName());

  /**
   * Runs one to its end.
   *
   * @param home the variable SLURM_JOB_MOUNTPOINT_SRC
   * @param namespace the variable SLURM_NS, once there is one
   * @throws IOException naming it, if it cannot be run, does not end in time or ends with another
   *     status than 0; then with what it said last
   */
  void run(SiteScript script, OwnerJob owner, Path home, Optional<Path> namespace)
      throws IOException {
    Map<String, String> variables = variables(owner);
    variables.put("SLURM_JOB_MOUNTPOINT_SRC", home.toString());
    namespace.ifPresent(file -> variables.put("SLURM_NS", file.toString()));
    run(script, owner, variables);
  }

  /**
   * Runs the one that maps users and groups, to its end.
   *
   * @param pid of a process in the new user namespace: the variable SLURM_NS_PID
   * @throws IOException as the others do
   */
  void map(SiteScript script, OwnerJob owner, long pid) throws IOException {
    Map<String, String> variables = variables(owner);
    variables.put("SLURM_NS_PID", Long.toString(pid));
    run(script, owner, variables);
  }

  private Map<String, String> variables(OwnerJob owner) {
    Map<String, String> variables = new LinkedHashMap<>(owner.variables());
    variables.put("SLURM_JOB_ID", owner.job().toString());
    variables.put("SLURM_JOB_UID", Integer.toUnsignedString(owner.uid()));
    variables.put("SLURM_JOB_GID", Integer.toUnsignedString(owner.gid()));
    variables.put("SLURM_JOB_USER", owner.user());
    variables.put("SLURMD_NODENAME", node);
    return variables;
  }

  private static void run(SiteScript script, OwnerJob owner, Map<String, String> variables)
      throws IOException {
    String text = SiteProgram.run(script.path(), variables, script.patience());
    if (!text.isEmpty()) {
      LOG.log(INFO, "{0} for job {1}: {2}", script.path(), owner.job(), text);
    }
  }
}
