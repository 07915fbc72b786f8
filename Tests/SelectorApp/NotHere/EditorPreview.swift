import NotOnLinux

// The manifest excludes this file, so neither the target nor the plug-in reads it.
@objc class EditorPreview {}
