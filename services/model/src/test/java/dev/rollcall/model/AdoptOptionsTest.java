package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionGenericFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdoptOptionsTest {
  @Test
  void anEmptyLineMeansTheDefaults() {
    assertEquals(AdoptOptions.DEFAULTS, AdoptOptionsParser.parse(List.of()));
  }

  @Test
  void everyDefaultMayBeWrittenOut() {
    assertEquals(
        AdoptOptions.DEFAULTS,
        AdoptOptionsParser.parse(
            List.of(
                "action_no_jobs=deny",
                "action_unknown=newest",
                "action_adopt_failure=deny",
                "action_generic_failure=deny",
                "ignore_root=1",
                "single_job_skip_rpc=1",
                "disable_x11=0",
                "join_container=true",
                "choose=0",
                "log_level=info",
                "service=sshd",
                "timeout_ms=250",
                "port=22",
                "socket=/run/rollcall/door.sock")));
  }

  @Test
  void everyOptionTakesAnotherValue() {
    assertEquals(
        new AdoptOptions(
            ActionNoJobs.IGNORE,
            ActionUnknown.ALLOW,
            ActionAdoptFailure.ALLOW,
            ActionGenericFailure.IGNORE,
            false,
            false,
            true,
            false,
            true,
            "*"),
        AdoptOptionsParser.parse(
            List.of(
                "ACTION_NO_JOBS=Ignore",
                "action_unknown=ALLOW",
                "action_adopt_failure=allow",
                "action_generic_failure=ignore",
                "ignore_root=0",
                "single_job_skip_rpc=false",
                "disable_x11=1",
                "join_container=no",
                "choose=1",
                "nodename=node7",
                "service=*")));
  }

  @ParameterizedTest
  @CsvSource({
    "action_no_jobs=allow, option action_no_jobs: unknown value 'allow'",
    "action_unknown=newes, option action_unknown: unknown value 'newes'",
    "action_adopt_failure=ignore, option action_adopt_failure: unknown value 'ignore'",
    "action_generic_failure=newest, option action_generic_failure: unknown value 'newest'",
    "ignore_root=2, option ignore_root: unknown value '2'",
    "disable_x11=, option disable_x11: unknown value ''",
    "action_nojobs=deny, unknown option 'action_nojobs'",
    "debug, option 'debug' is not NAME=VALUE"
  })
  void whatIsUnknownIsRefusedByName(String option, String message) {
    var refused =
        assertThrows(
            IllegalArgumentException.class, () -> AdoptOptionsParser.parse(List.of(option)));
    assertEquals(message, refused.getMessage());
  }
}
