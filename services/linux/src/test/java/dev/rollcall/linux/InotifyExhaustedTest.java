package dev.rollcall.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.LimitAlarm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Instances of inotify(7) are used up, in a user namespace of its own. */
@Tag("root")
class InotifyExhaustedTest {
  /** Opens what an agent opens at its start. */
  public static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) {
      try (LimitAlarm opened = LimitAlarm.open()) {
        System.out.println("watches " + opened.watches());
      } catch (Exception e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static String said(String bound) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "sh",
                "-c",
                "echo " + bound + " > /proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx32m",
            "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Opener.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return said.strip();
  }

  @Test
  void theErrorNamesTheBound() throws Exception {
    assertEquals("watches 0", said("1"));
    assertEquals(
        "inotify_init1(within fs.inotify.max_user_instances) failed: EMFILE (24)", said("0"));
  }
}
