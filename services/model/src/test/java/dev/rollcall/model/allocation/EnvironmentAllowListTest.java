package dev.rollcall.model.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentAllowListTest {
  private static List<String> passed(EnvironmentAllowList list, Map<String, String> environment) {
    return List.copyOf(list.of(environment).keySet());
  }

  @Test
  void passesNamesAndBeginningsInTheOrderOfTheList() {
    var list = new EnvironmentAllowList(List.of("TMPDIR", "SLURM_*"));
    assertEquals(
        List.of("TMPDIR", "SLURM_JOB_ID", "SLURM_NODELIST"),
        passed(
            list,
            Map.of(
                "SLURM_NODELIST", "n[1-2]",
                "SLURM_JOB_ID", "1",
                "TMPDIR", "/tmp/1",
                "TMPDIR2", "/tmp",
                "EDITOR", "ed")));
  }

  @Test
  void keepsTheValues() {
    assertEquals(
        Map.of("CUDA_VISIBLE_DEVICES", "0,1"),
        EnvironmentAllowList.DEFAULTS.of(Map.of("CUDA_VISIBLE_DEVICES", "0,1")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LD_PRELOAD",
        "LD_*",
        "PATH",
        "HOME",
        "BASH_ENV",
        "PYTHONPATH",
        "GLIBC_TUNABLES",
        "SSH_AUTH_SOCK",
        "ROLLCALL_REASON",
        "*",
        "S*",
        "SL*",
        "A B",
        "1A",
        "A=B",
        "A*B",
        ""
      })
  void refusesWhatNoJobMaySet(String pattern) {
    var refused =
        assertThrows(
            IllegalArgumentException.class, () -> new EnvironmentAllowList(List.of(pattern)));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("'" + pattern + "'"));
  }

  @Test
  void leavesOutWhatABeginningWouldCover() {
    var list = new EnvironmentAllowList(List.of("RES_*", "TERMINAL"));
    assertEquals(
        List.of("RES_X", "TERMINAL"),
        passed(list, Map.of("RES_OPTIONS", "debug", "RES_X", "1", "TERMINAL", "x", "TERM", "y")));
  }

  @Test
  void passesNothingWhenItIsEmpty() {
    assertEquals(
        List.of(), passed(new EnvironmentAllowList(List.of()), Map.of("SLURM_JOB_ID", "1")));
  }

  @Test
  void namesWhatASessionLacks() {
    assertEquals(
        Map.of("TMPDIR", "/t", "ROLLCALL_LEFT_OUT", "CUDA_VISIBLE_DEVICES SLURM_A"),
        new EnvironmentAllowList(List.of("CUDA_VISIBLE_DEVICES", "TMPDIR", "SLURM_*"))
            .of(
                Map.of(
                    "TMPDIR",
                    "/t",
                    "ROLLCALL_LEFT_OUT",
                    "CUDA_VISIBLE_DEVICES TMPDIR OTHER SLURM_A LD_PRELOAD")));
  }
}
