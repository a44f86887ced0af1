/** The id of a project. */
export const PROJECT_ID = /^prj_[a-z0-9]{1,60}$/;
