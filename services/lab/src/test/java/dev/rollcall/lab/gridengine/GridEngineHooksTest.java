package dev.rollcall.lab.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.batch.BatchRoot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Grid Engine of Debian 12 runs jobs with the shipped prolog and epilog, in a root of its own. The
 * command that these call is a stand-in.
 */
@Tag("machine")
@Tag("full")
class GridEngineHooksTest {
  /** The script inside.sh makes the cell, where the host has an address. */
  private static final String NO_CELL =
      "--essential-hook=printf '%s shared/gridengineconfig boolean false\\n' gridengine-common"
          + " gridengine-master | chroot \"$1\" debconf-set-selections";

  @TempDir private Path folder = Path.of("");

  @Test
  void itsJobsBeginAndEndAndAnAgentThatIsAwayStopsNone() throws Exception {
    var root =
        new BatchRoot(
            folder,
            "bookworm",
            "gridengine-master,gridengine-exec,gridengine-client",
            List.of(NO_CELL));
    assertEquals(
        """
        uid 0: job begin --batch-environment 1 --user alice
        uid 0: job begin --batch-environment 2718384146 --user alice
        uid 0: job begin --batch-environment 2857141141 --user alice
        uid 0: job begin --batch-environment 3 --user alice
        uid 0: job end --wait 0 1 --user alice
        uid 0: job end --wait 0 2718384146 --user alice
        uid 0: job end --wait 0 2857141141 --user alice
        uid 0: job end --wait 0 3 --user alice
        rollcall: the begin of job 3 was not reported to the agent (status 5): rollcall: no agent answers
        rollcall: the end of job 3 was not reported to the agent (status 5): rollcall: no agent answers
        state of the queue: ''
        """,
        root.run(GridEngineHooksTest.class, Map.of()));
  }
}
