package dev.rollcall.linux.systemd;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("root")
class FakeUnitBusTest extends UnitBusContract {
  private final ScopeRig rig = new ScopeRig();

  @BeforeEach
  void make() throws IOException {
    top().create();
  }

  @AfterEach
  void remove() throws Exception {
    rig.close();
  }

  @Override
  UnitBus bus() {
    return rig.bus();
  }

  @Override
  int process() throws IOException {
    return rig.process();
  }

  @Override
  CgroupDirectory top() {
    return rig.top();
  }
}
