package dev.rollcall.load;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.rollcall.load.brokenone.Here;
import dev.rollcall.load.brokentwo.There;
import org.junit.jupiter.api.Test;

/** The rules of deploy's house for the packages that are built after it. */
class PackagesTest {
  private static final ArchRule NO_CYCLES =
      slices().matching("dev.rollcall.(**)").should().beFreeOfCycles();

  // The containers of jobs, moves, lookups, the roll and series of jobs, whose cost is measured
  // without an agent, and the test cluster, on which all else is measured.
  private static final ArchRule ARROWS =
      classes()
          .that()
          .resideInAPackage("dev.rollcall.load..")
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("dev.rollcall..")
                  .or(
                      resideInAnyPackage(
                          "dev.rollcall.load..",
                          "dev.rollcall.proto..",
                          "dev.rollcall.model..",
                          "dev.rollcall.port..",
                          "dev.rollcall.linux..",
                          "dev.rollcall.wire..",
                          "dev.rollcall.jobs..",
                          "dev.rollcall.agent.series..",
                          "dev.rollcall.roll..",
                          "dev.rollcall.authority..",
                          "dev.rollcall.settings..",
                          "dev.rollcall.testkit..",
                          "dev.rollcall.lab..")));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.rollcall.load");

  @Test
  void packagesHaveNoCycles() {
    assertTrue(CLASSES.contain(Main.class));
    NO_CYCLES.check(CLASSES);
  }

  @Test
  void benchmarksSeeTheModulesTheyMaySee() {
    ARROWS.check(CLASSES);
  }

  @Test
  void aCycleIsNamed() {
    JavaClasses broken = new ClassFileImporter().importClasses(Here.class, There.class);
    var error = assertThrows(AssertionError.class, () -> NO_CYCLES.check(broken));
    assertTrue(error.toString().contains(Here.class.getName()), error.toString());
  }
}
