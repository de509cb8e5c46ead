package dev.rollcall.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The way of a login before the first comes. */
@Tag("root")
class RehearsalTest {
  @ParameterizedTest
  @EnumSource(names = {"V2", "V1"})
  void leavesNothingBehindAndIsToldToNobody(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Job job = rig.begin(42);
      List<Object> told = new ArrayList<>();
      rig.jobs()
          .listen(
              new Jobs.Listener() {
                @Override
                public void changed(Job changed) {
                  told.add(changed);
                }

                @Override
                public void recorded(UsageRecord record) {
                  told.add(record);
                }
              });
      rig.jobs().rehearse();
      assertEquals(List.of(), told);
      assertEquals(List.of(job), rig.jobs().list());
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(job), rig.jobs().list());
      Pidfd process = rig.sleeper();
      Adopted adopted = assertInstanceOf(Adopted.class, rig.jobs().adopt(process, new JobId(42)));
      assertEquals(new JobId(42), adopted.step().job());
    }
  }
}
