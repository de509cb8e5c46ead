package dev.rollcall.settings.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.settings.Problem;
import dev.rollcall.settings.container.ContainerReading.Bad;
import dev.rollcall.settings.container.ContainerReading.Good;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file that a test writes, and what is read of it. Messages are without its directory. */
record Written(Path file) {
  Written as(String text) throws IOException {
    Files.writeString(file, text);
    return this;
  }

  ContainerConf good() {
    ContainerReading reading = ContainerConf.read(file);
    if (reading instanceof Bad(List<Problem> problems)) {
      assertEquals(List.of(), shown(problems));
    }
    return assertInstanceOf(Good.class, reading).conf();
  }

  JobContainer on(String node) {
    return good().on(node, node + ".example");
  }

  List<String> notes() {
    return shown(assertInstanceOf(Good.class, ContainerConf.read(file)).notes());
  }

  List<String> problems() {
    return shown(assertInstanceOf(Bad.class, ContainerConf.read(file)).problems());
  }

  private List<String> shown(List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.toString().replace(file.getParent() + "/", ""))
        .toList();
  }

  static List<String> paths(JobContainer container) {
    return container.directories().stream().map(directory -> directory.path().text()).toList();
  }
}
