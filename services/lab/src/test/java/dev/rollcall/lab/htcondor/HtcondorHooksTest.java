package dev.rollcall.lab.htcondor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.batch.BatchRoot;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.CodeBlock;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HTCondor of Debian sid runs jobs, and the shipped daemon by the lines of
 * docs/other-batch-systems.md, in a root of its own. The command that the daemon calls is a
 * stand-in.
 */
@Tag("machine")
@Tag("full")
class HtcondorHooksTest {
  private static final Path PAGE = SourceTree.ROOT.resolve("docs/other-batch-systems.md");

  @TempDir private Path folder = Path.of("");

  /** The states of a job are HTCondor's: 4 is completed. */
  @Test
  void itsJobsBeginAndEndAndAnAgentThatIsAwayStopsNone() throws Exception {
    String configuration = CodeBlock.beginning(PAGE, "# condor_config").text();
    assertEquals(
        """
        job 1.0: state 4, status 0
        job 2.0: state 4, status 0
        job 2.1: state 4, status 0
        job 3.0: state 4, status 0
        job 4.0: state 4, status 0
        job 5.0: state 4, status 0
        slot1@node1 Unclaimed
        away.0, by alice in /var/lib/condor/execute/dir_PID/scratch
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        flat.0, by alice in /var/lib/condor/execute/dir_PID
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        killed.0, by alice in /var/lib/condor/execute/dir_PID/scratch
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        one.0, by alice in /var/lib/condor/execute/dir_PID/scratch
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        stopped.0, by alice in /var/lib/condor/execute/dir_PID
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        two.0, by alice in /var/lib/condor/execute/dir_PID/scratch
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        two.1, by alice in /var/lib/condor/execute/dir_PID/scratch
        uid 0: job begin PID --uid 40001
        uid 0: job end --wait 0 PID --uid 40001
        """,
        new BatchRoot(folder, "sid", "condor", List.of())
            .run(HtcondorHooksTest.class, Map.of("CONFIGURATION", configuration)));
  }
}
