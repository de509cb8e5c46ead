package dev.rollcall.lab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Which modules the lab sees, as docs/architecture.md has it. */
class ArrowsTest {
  private static final ArchRule ARROWS =
      classes()
          .that()
          .resideInAPackage("dev.rollcall.lab..")
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("dev.rollcall..")
                  .or(
                      resideInAnyPackage(
                          "dev.rollcall.lab..",
                          "dev.rollcall.testkit..",
                          "dev.rollcall.proto..",
                          "dev.rollcall.model..",
                          "dev.rollcall.port..",
                          "dev.rollcall.wire..")));

  private static final ArchRule NO_CYCLES =
      slices().matching("dev.rollcall.(**)").should().beFreeOfCycles();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.rollcall.lab");

  @Test
  void theLabSeesTheModulesItMaySee() {
    assertTrue(CLASSES.contain(Main.class));
    ARROWS.check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(CLASSES);
  }
}
