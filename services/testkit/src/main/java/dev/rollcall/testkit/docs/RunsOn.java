package dev.rollcall.testkit.docs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a system on which a class of tests runs. SystemsPageTest makes the table of tested systems
 * in docs/requirements.md of these annotations; it reads the sources, so each value is a literal.
 */
@Repeatable(RunsOn.Several.class)
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface RunsOn {
  /** The distribution, with the way in which it runs: a chroot, an emulated machine. */
  String system();

  /** The architecture as the kernel names it, and how it is emulated. */
  String architecture() default "x86-64";

  /** The version of Linux. */
  String kernel();

  /** The version of Slurm, without the number of its patch. */
  String slurm() default "-";

  /** The mode of SELinux. */
  String selinux() default "-";

  /** A noun phrase for the tests. */
  String tests();

  /** Options behind {@code ./rollcall test TIER} that select this system. */
  String options() default "";

  /** The systems of a class that has several. */
  @Retention(RetentionPolicy.SOURCE)
  @Target(ElementType.TYPE)
  @interface Several {
    /** In the order of the source. */
    RunsOn[] value();
  }
}
